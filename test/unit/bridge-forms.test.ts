/** Commands that clients of the ACL2 Bridge send, as the forms that LD reads. */
import { describe, expect, it } from 'vitest';
import { translateCommand } from '../../electron/sessions/bridge-session';

describe('a command of the Bridge', () => {
  it.each([
    ['(+ 1 2)', '(+ 1 2)'],
    [':pbt :here', ':pbt :here'],
    ['(+ 1', '(+ 1'],
    ["(bridge::in-main-thread (memoize 'fib) (fib 37))", "(memoize 'fib) (fib 37)"],
    ['(BRIDGE::TRY-IN-MAIN-THREAD (f))\n', '(f)'],
    ['(bridge::in-main-thread (f "a)" #\\) |)| ; )\n))', '(f "a)" #\\) |)| ; )\n)'],
    ['(values 1 2)', '(mv 1 2)'],
    ['(bridge::in-main-thread (values 1 2))', '(mv 1 2)'],
    ['(values-list x)', '(values-list x)'],
    ["(ld '((f)))", "(ld '((f)) :ld-post-eval-print :command-conventions)"],
    [
      "(bridge::in-main-thread (acl2::ld '((f))))",
      "(acl2::ld '((f)) :ld-post-eval-print :command-conventions)",
    ],
    ["(ld '((f)) :LD-post-eval-print nil)", "(ld '((f)) :LD-post-eval-print nil)"],
    ['; why\n(bridge::in-main-thread (f)) ; )', '(f)'],
    ["(bridge::in-main-thread (ld '((f))) (g))", "(ld '((f))) (g)"],
  ])('%s', (command, forms) => {
    expect(translateCommand(command)).toBe(forms);
  });

  it.each([
    '(bridge::in-main-thread (f)) (g)',
    '(bridge::in-main-thread (f) ; )',
    '(bridge::in-main-thread (f)',
  ])('is left as it is where it is not one list: %s', (command) => {
    expect(translateCommand(command)).toBe(command);
  });

  it('of the package BRIDGE is refused where there is no such operator here', () => {
    expect(() => translateCommand('(bridge::stop)')).toThrow(/bridge::stop is not supported/);
  });
});
