/** Changes of a world one after another, what a replay makes of them, and forms that the harbor carries out itself. */
import { describe, expect, it } from 'vitest';
import { combineChanges, type WorldChange } from '../../electron/contract/world';
import { Acl2Replayer } from '../../electron/images/acl2/checkpoints';
import { harborForm, stringArgument } from '../../electron/images/acl2/wire';

const change = (kept: number, ...forms: string[]): WorldChange => ({
  kept,
  added: forms.map((form) => ({ form, folder: null, file: null })),
});

const entry = (id: number, world: WorldChange | null) => ({
  id,
  package: 'ACL2',
  code: '',
  forms: [],
  change: world,
});

describe('two changes, one after the other', () => {
  it.each([
    ['the second adds', change(2, 'a'), change(3, 'b'), change(2, 'a', 'b')],
    ['the second undoes what the first added', change(2, 'a', 'b'), change(3), change(2, 'a')],
    ['the second undoes more than that', change(2, 'a', 'b'), change(1, 'c'), change(1, 'c')],
    ['the second undoes exactly that', change(2, 'a', 'b'), change(2), change(2)],
    ['the second tells all anew', change(2, 'a'), change(0, 'x', 'y'), change(0, 'x', 'y')],
  ])('come to one: %s', (_what, first, next, both) => {
    expect(combineChanges(first, next)).toEqual(both);
  });
});

describe('a replay', () => {
  it('submits the stack that all changes come to, each command with the evaluation it came from', () => {
    const code = new Acl2Replayer(null).replayCode(
      [entry(1, change(0, 'A', 'B')), entry(2, null), entry(3, change(1, 'C')), entry(4, change(2, 'D "x"'))],
      'SHOP',
    );
    expect(code.split('\n')).toEqual([
      '(acl2::harbor-replay ((1 "A" "" "")',
      '(3 "C" "" "")',
      '(4 "D \\"x\\"" "" "")))',
      '(acl2::in-package "SHOP")',
    ]);
  });
});

describe('a form of the harbor’s own', () => {
  it.each(['/a/b', '/with "quotes" and \\', '/line\nbreak'])(
    'gives back the string %j that it was given',
    (name) => {
      const code = harborForm('certify', `"${name.replace(/["\\]/g, '\\$&')}"`);
      expect([stringArgument('certify', code), stringArgument('load', code)]).toEqual([name, null]);
    },
  );

  it.each([
    '(harbor-certify "a") 1',
    '(harbor-certify a)',
    '(list (harbor-certify "a"))',
    '(harbor-certify "a" "b")',
  ])('is not %j', (code) => expect(stringArgument('certify', code)).toBeNull());

  it('is one as a person types it', () =>
    expect(stringArgument('certify', ' (Harbor-Certify "a" ) ')).toBe('a'));
});
