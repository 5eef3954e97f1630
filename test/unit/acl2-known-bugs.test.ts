/** Which known soundness bugs of its ACL2 a final check names, by version, host and the features of the sources. */
import { expect, it } from 'vitest';
import { knownBugNotes } from '../../electron/images/acl2/final-check/known-bugs';

const GCL = 'GNU Common Lisp (GCL) GCL 2.6.14';
const count = (acl2: string, lisp = GCL) =>
  Number(/has (\d+)/.exec(knownBugNotes(acl2, lisp, [])[0] ?? '')?.[1] ?? 0);

it('an ACL2 has the bugs of all later releases, and a version without any has no note', () => {
  expect(count('ACL2 Version 8.4')).toBeGreaterThan(count('ACL2 Version 8.5'));
  expect(count('ACL2 Version 8.5')).toBeGreaterThan(count('ACL2 Version 8.7'));
  expect(count('ACL2 Version 8.7')).toBeGreaterThan(0);
  expect(knownBugNotes('ACL2 Version 8.10', GCL, ['(boole$ 1 2 3)'])).toEqual([]);
});

it('a bug counts only on the hosts that have it', () => {
  expect(count('ACL2 Version 8.5', 'SBCL 2.2.9')).toBe(count('ACL2 Version 8.5') + 2);
});

it('those are named whose features the sources name, as symbols, in any case', () => {
  const [named] = knownBugNotes('ACL2 Version 8.5', GCL, [
    '(thm (equal (ACL2::Boole$ 1 x y) x))',
    '(f :bdd)',
  ]);
  expect(named).toMatch(/features of 2: .*:BDD.*BOOLE\$/);
  const [none] = knownBugNotes('ACL2 Version 8.5', GCL, ['(defun my-boole$ (x) x)']);
  expect(none).toContain('none of their features');
});
