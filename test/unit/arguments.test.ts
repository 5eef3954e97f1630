/** Arguments that a tool does not have: dropped by a tool that only reads, with a note; refused by every other. */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { note, noteTexts } from '../../electron/contract/note';
import { acceptedArguments } from '../../electron/tools/arguments';

const hints = { destructiveHint: false, idempotentHint: true, openWorldHint: false };
const args = z.strictObject({ code: z.string(), package: z.string().optional() });
const reads = { name: 'look', args, scope: 'read' as const, annotations: { readOnlyHint: true, ...hints } };
const writes = { ...reads, name: 'change', annotations: { readOnlyHint: false, ...hints } };
const evaluates = { ...reads, name: 'run', scope: 'evaluate' as const };
const loads = { ...reads, name: 'run', approval: 'load' as const };

const refused = (message: unknown) => expect.objectContaining({ code: 'bad_arguments', message });

describe('in a profile of another system', () => {
  it('are dropped by a tool that only reads, and the note says which there are, the nearest first', () => {
    expect(acceptedArguments(reads, { code: '1', pacakge: 'P', force: true })).toEqual({
      args: { code: '1' },
      notes: [
        note('ignored_arguments', 'Ignored: look has no argument pacakge, force. There are: package, code.'),
      ],
    });
  });

  it.each([writes, evaluates, loads])('are refused by a tool that evaluates, loads or writes', (tool) => {
    expect(() => acceptedArguments(tool, { code: '1', force: true })).toThrow(
      refused(`${tool.name} has no argument force. There are: code, package.`),
    );
  });

  it('are told with what is wrong besides', () => {
    expect(() => acceptedArguments(writes, { cod: '1' })).toThrow(
      refused('change has no argument cod. There are: code, package.\ncode is missing: expected string'),
    );
  });
});

describe('in a profile of ours', () => {
  it('refuse what may change anything', () => {
    const accept = () => acceptedArguments(writes, { code: '1', dry_run: true }, true);
    expect(accept).toThrow(refused('change has no argument dry_run. There are: code, package.'));
  });

  it('are passed over by what only reads, unless one of its own is meant', () => {
    expect(acceptedArguments(reads, { code: '1', force: true }, true)).toEqual({
      args: { code: '1' },
      notes: [{ kind: 'ignored_arguments', text: expect.stringContaining('no argument force') }],
    });
    expect(() => acceptedArguments(reads, { code: '1', pacakge: 'P' }, true)).toThrow(
      refused('look has no argument pacakge. There are: package, code.'),
    );
  });
});

it('what is wrong is told by its name, with what is expected', () => {
  const shape = {
    name: z.string(),
    how: z.enum(['a', 'b']),
    many: z.union([z.boolean(), z.array(z.string())]),
  };
  const tool = { ...reads, args: z.strictObject(shape) };
  const lines = (given: object) => {
    try {
      acceptedArguments(tool, given);
    } catch (error) {
      return String(error).split('\n').slice(1);
    }
    return [];
  };
  expect(lines({})).toEqual([
    'name is missing: expected string',
    'how is missing: expected one of "a"|"b"',
    'many is missing: expected boolean true or false, or expected array […]',
  ]);
  expect(lines({ name: 1, how: 'c', many: 3 })).toEqual([
    'name: expected string, received number',
    'how: expected one of "a"|"b"',
    'many: expected boolean true or false, or expected array […]',
  ]);
});

it.each(['x', 5, []])('what is no object of arguments is refused: %j', (given) => {
  expect(() => acceptedArguments(reads, given)).toThrow(refused(expect.stringContaining('look')));
});

it('names that nobody would write are told in part', () => {
  const given = Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`${i}${'x'.repeat(10_000)}`, 1]));
  const { notes } = acceptedArguments(reads, { ...given, code: '1' });
  expect(noteTexts(notes).join().length).toBeLessThan(1000);
  expect(noteTexts(notes).join()).toContain(' and 995 more');
});

it('a name that every object has is no argument', () => {
  const { notes } = acceptedArguments(reads, JSON.parse('{"code": "1", "__proto__": 1, "constructor": 2}'));
  expect(noteTexts(notes).join()).toContain('no argument __proto__, constructor.');
});
