/** What a fork of cl-mcp-server has for code as it runs: suspended conditions, traced calls, parts of values. */
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { call } from '../evaluation';
import { sharedHarbor } from '../shared-harbor';
import type { StartedHarbor } from '../started-harbor';

let harbor: StartedHarbor;
let client: Client;

beforeAll(async () => {
  harbor = await sharedHarbor();
  client = await harbor.over('HTTP', 'cl-mcp-server');
});
afterAll(() => harbor.stop());

const first = async (name: string, args: Record<string, unknown> = {}) =>
  (await call(client, name, args)).first;
const refused = async (name: string, args: Record<string, unknown>) => {
  const { isError, text } = await call(client, name, args);
  expect([isError, text]).toEqual([true, text]);
  return text;
};

const suspend = async (code: string) => {
  const text = await first('evaluate-with-restarts', { code });
  return { text, id: Number(/^\[SUSPENDED (\d+)\]/m.exec(text)?.[1]) };
};

it('S1-104 continues a suspended evaluation where it is, with a restart by name or by index', async () => {
  const counting = `(let ((seen '())) (dotimes (i 3 (reverse seen)) (when (= i 1) (cerror "Go on." "Odd ~A" i)) (push i seen)))`;
  const { text, id } = await suspend(counting);
  expect(text).toMatch(
    /^\[SUSPENDED \d+\] SIMPLE-ERROR\nOdd 1\n[\s\S]*\[Restarts\]\n {2}0: \[CONTINUE\] Go on\./,
  );
  expect(await first('list-suspensions')).toBe(`[SUSPENDED ${id}] SIMPLE-ERROR: Odd 1`);
  expect(await first('evaluate-lisp', { code: '(+ 1 2)' })).toBe('=> 3');
  expect(await first('invoke-restart', { 'suspension-id': id, 'restart-name': 'continue' })).toBe(
    '=> (0 1 2)',
  );
  expect(await first('list-suspensions')).toBe('No suspended evaluations.');
  const valued = await suspend(
    '(+ 1 (restart-case (error "No value") (use-value (v) :interactive (lambda () (list (eval (read)))) v)))',
  );
  const index = Number(/(\d+): \[USE-VALUE\]/.exec(valued.text)?.[1]);
  expect(
    await first('invoke-restart', { 'suspension-id': valued.id, 'restart-index': index, value: '41' }),
  ).toBe('=> 42');
});

it('S1-104 keeps to the innermost suspension, and gives up the one that is named', async () => {
  const outer = await suspend('(error "outer")');
  const inner = await suspend('(error "inner")');
  expect(await refused('invoke-restart', { 'suspension-id': outer.id, 'restart-index': 0 })).toContain(
    `${inner.id}`,
  );
  expect(await refused('invoke-restart', { 'suspension-id': inner.id })).toMatch(/^bad_arguments/);
  expect(await first('abandon-suspension', { 'suspension-id': inner.id })).toBe(
    `Suspension ${inner.id} abandoned.`,
  );
  await call(client, 'invoke-restart', { 'suspension-id': outer.id, abort: true });
  expect(await first('list-suspensions')).toBe('No suspended evaluations.');
  expect(await refused('abandon-suspension', { 'suspension-id': outer.id })).toMatch(/^unknown_evaluation/);
});

it('S1-105 traces calls of functions while code runs, and no longer', async () => {
  await first('evaluate-lisp', {
    code: '(defun twice (n) (declare (notinline once)) (+ (once n) (once n))) (defun once (n) n)',
  });
  const text = await first('trace-call', { code: '(twice 2)', functions: ['once', 'twice'] });
  expect(text).toMatch(
    /^Traced: once, twice\n\n\[Trace\]\n[\s\S]*\(TWICE 2\)[\s\S]*\(ONCE 2\)[\s\S]*returned 4\n\n=> 4$/,
  );
  expect(await first('evaluate-lisp', { code: '(list (twice 3) (trace))' })).toBe('=> (6 NIL)');
  const failing = await first('trace-call', {
    code: '(progn (once 1) (error "later"))',
    functions: ['once'],
  });
  expect(failing).toMatch(/\(ONCE 1\)[\s\S]*\[ERROR\] SIMPLE-ERROR\nlater/);
  expect(await first('evaluate-lisp', { code: '(trace)' })).toBe('=> NIL');
  expect(await refused('trace-call', { code: '1', functions: ['once) (quit'] })).toMatch(/^bad_arguments/);
});

it('S1-106 shows machine code, and walks from a value into its parts', async () => {
  expect(await first('disassemble-function', { name: 'twice' })).toMatch(/disassembly for TWICE/);
  const { structured } = await call<{ parts: { handle?: string }[] }>(client, 'inspect-object', {
    code: '(list 1 (list 2 3))',
  });
  const handle = structured.parts.find((part) => part.handle !== undefined)?.handle;
  expect(await first('inspect-object', { handle })).toContain('3');
});
