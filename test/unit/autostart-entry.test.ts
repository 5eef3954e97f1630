/** The file that starts the app at login: its words come back as they were, by the rules of the specification. */
import { describe, expect, it } from 'vitest';
import { autostartEntry, isAutostartEntry } from '../../electron/shell/linux-desktop';

/** As a desktop reads the value of Exec: escapes of strings, then of quoted arguments, then field codes. */
function execOf(entry: string): string[] {
  const [, value = ''] = /^Exec=(.*)$/m.exec(entry) ?? [];
  const string = value.replaceAll(/\\(.)/g, (_, escaped: string) => (escaped === 'n' ? '\n' : escaped));
  const words = [...string.matchAll(/"((?:[^"\\]|\\.)*)"/gs)].map(([, word = '']) => word);
  return words.map((word) => word.replaceAll(/\\(.)/gs, '$1').replaceAll('%%', '%'));
}

describe('the entry for the login', () => {
  it.each([
    [['/usr/bin/lisp-harbor', '--hidden']],
    [
      [
        '/home/me/my node/bin/node',
        '/home/me/a "b" $c `d`/start.mjs',
        '--hidden',
        '--data',
        '/back\\slash/50%f',
      ],
    ],
    [['/two\nlines', '--hidden']],
  ])('starts %j', (command) => {
    const entry = autostartEntry(command);
    expect(execOf(entry)).toEqual(command);
    const [, tried = ''] = /^TryExec=(.*)$/m.exec(entry) ?? [];
    expect(tried.replaceAll('\\n', '\n').replaceAll('\\\\', '\\')).toBe(command[0]);
  });

  it('is known as ours, and others are not', () => {
    expect(isAutostartEntry(autostartEntry(['lisp-harbor']))).toBe(true);
    expect(isAutostartEntry('[Desktop Entry]\nExec=lisp-harbor\n')).toBe(false);
  });
});
