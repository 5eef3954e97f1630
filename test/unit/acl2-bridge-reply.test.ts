/** Replies of the ACL2 Bridge: values in each encoding, and what is answered where there is none. */

import { describe, expect, it } from 'vitest';
import { MAX_VALUE_LENGTH, replyTo, unknownType } from '../../electron/compat/acl2-bridge/bridge-reply';
import type { Evaluation } from '../../electron/contract/model';
import { note } from '../../electron/contract/note';

const ROW: Evaluation = {
  id: 1,
  kind: 'eval',
  session: 'acl2-abcdef',
  engine: 'acl2',
  client: 'bridge',
  project: '/p',
  package: 'ACL2',
  code: '(f)',
  outcome: 'ok',
  forms: [],
  stdout: '',
  stderr: '',
  warnings: [],
  condition: null,
  notes: [],
  outputDropped: 0,
  startedAt: 1,
  endedAt: 2,
  durationMs: 1,
};

const evaluated = (...forms: string[][]): Evaluation => ({
  ...ROW,
  forms: forms.map((values) => ({ code: '(f)', values })),
});

describe('values', () => {
  it('are those of the last form', () => {
    expect(replyTo('LISP', evaluated(['1'], ['2', '(A)']))).toEqual({ type: 'RETURN', content: '2' });
    expect(replyTo('LISP_MV', evaluated(['1'], ['2', '(A)']))).toEqual({
      type: 'RETURN',
      content: '(2 (A))',
    });
    expect(replyTo('JSON', evaluated(['1'], ['2', '(A)']))).toEqual({ type: 'RETURN', content: '"2"' });
    expect(replyTo('JSON_MV', evaluated(['1'], ['2', '(A)']))).toEqual({
      type: 'RETURN',
      content: '["2",["A"]]',
    });
  });

  it.each([
    ['LISP', ['x'.repeat(MAX_VALUE_LENGTH + 1)], /more than 4194304 characters/],
    ['LISP_MV', ['1', 'x'.repeat(MAX_VALUE_LENGTH + 1)], /more than 4194304 characters/],
    ['LISP', [], /more than 4194304 characters/],
    ['JSON', [`"${'x'.repeat(1024 * 1024)}"`], /more than 1048576 characters[^\n]*Use LISP/],
    ['JSON', ['#<stream>'], /JSON cannot represent it[^\n]*Use LISP/],
    ['LISP', ['"�"'], /not UTF-8/],
  ] as const)('that are not there whole are an error: %s, case %#', (type, values, problem) => {
    const reply = replyTo(type, evaluated([...values]));
    expect(reply).toEqual({ type: 'ERROR', content: expect.stringMatching(problem) });
    expect(reply.content).toMatch(/^Error writing return value:\n[^\n]*\n$/);
  });
});

describe('what has no values', () => {
  it('says why', () => {
    const condition = { type: 'ACL2 Error', message: 'No.', level: 1, restarts: [], frames: [] };
    expect(replyTo('LISP', { ...ROW, outcome: 'error', condition }).content).toBe(
      'Error during executing command:\nACL2 Error: No.\n',
    );
    expect(
      replyTo('LISP', { ...ROW, outcome: 'crashed', notes: [note('image_ended', 'It exited.')] }).content,
    ).toBe('Error during executing command:\nACL2 has ended, and this connection is closed.\nIt exited.\n');
    expect(replyTo('LISP', { ...ROW, outcome: 'interrupted' }).content).toBe(
      'Error during executing command:\nIt was interrupted.\n',
    );
    expect(replyTo('LISP', ROW).content).toBe('Error during read-command:\nThe command has no form in it.\n');
    expect(unknownType('XML').content).toContain('XML is none of LISP, LISP_MV, JSON, JSON_MV');
  });
});
