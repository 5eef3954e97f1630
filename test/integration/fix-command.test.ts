/** `lisp-harbor fix` as it is started: on files, on stdin, and as the hook of an agent's program. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCommand } from '../command-line';
import { temporaryFolder } from '../started-harbor';

const BROKEN = '(defun f (x)\n  (let ((a 1))\n    (list a\n          x)\n\n(defun g ()\n    1)\n';
const RIGHT = '(defun f (x)\n  (let ((a 1))\n    (list a\n          x)))\n\n(defun g ()\n  1)\n';
const UNSURE = '(defun f (x)\n  (list (car x 1))\n';

const folder = temporaryFolder('fix');
const fileOf = (name: string, text: string): string => {
  writeFileSync(path.join(folder, name), text);
  return path.join(folder, name);
};

describe('lisp-harbor fix', () => {
  it('writes what is sure, says so in a line each, and leaves the rest alone', async () => {
    const [broken, unsure, right] = [
      fileOf('a.lisp', BROKEN),
      fileOf('b.lisp', UNSURE),
      fileOf('c.lisp', RIGHT),
    ];
    expect(await runCommand(['fix', broken, unsure, right])).toEqual({
      code: 1,
      stdout:
        `${broken}: added \`))\` at the end of line 4, indented 1 line\n` +
        `${unsure}:1:1: The ( at line 1, column 1 is not closed. Likely fix: add \`)\` at the end of line 2.\n` +
        `${right}: nothing to fix\n`,
      stderr: '',
    });
    expect(readFileSync(broken, 'utf8')).toBe(RIGHT);
    expect(readFileSync(unsure, 'utf8')).toBe(UNSURE);
  });

  it('changes nothing when it checks, or shows the difference', async () => {
    const file = fileOf('d.lisp', BROKEN);
    const checked = await runCommand(['fix', '--check', file]);
    expect([checked.code, checked.stdout]).toEqual([
      1,
      `${file}: to fix: added \`))\` at the end of line 4, indented 1 line\n`,
    ]);
    const { code, stdout } = await runCommand(['fix', '--dry-run', file]);
    expect([code, stdout]).toEqual([0, expect.stringContaining('-          x)\n+          x)))\n')]);
    expect(readFileSync(file, 'utf8')).toBe(BROKEN);
  });

  it('takes stdin', async () => {
    expect(await runCommand(['fix', '-'], BROKEN)).toEqual({ code: 0, stdout: RIGHT, stderr: '' });
    const clojure = await runCommand(['fix', '--as', 'a.clj', '-'], '(let [a 1]\na)');
    expect(clojure).toEqual({ code: 0, stdout: '(let [a 1]\n  a)', stderr: '' });
  });

  it.each([
    [[], /no file/],
    [['--what'], /--what/],
    [['a.txt'], /Lisp file/],
  ])('refuses %j', async (words, message) => {
    expect(await runCommand(['fix', ...words])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(message),
    });
  });
});

describe('as a hook', () => {
  const hook = (input: unknown) => runCommand(['fix', '--hook'], JSON.stringify(input));

  it('tells the likely fix of a file that was edited, in the words of each program', async () => {
    const file = fileOf('e.lisp', UNSURE);
    const told = {
      code: 2,
      stdout: '',
      stderr: `${file}:1:1: The ( at line 1, column 1 is not closed. Likely fix: add \`)\` at the end of line 2.\n`,
    };
    expect(await hook({ tool_name: 'Edit', cwd: folder, tool_input: { file_path: file } })).toEqual(told);
    const command = '*** Begin Patch\n*** Update File: e.lisp\n@@\n-a\n+b\n*** End Patch';
    expect(await hook({ tool_name: 'apply_patch', cwd: folder, tool_input: { command } })).toEqual(told);
  });

  it('is silent about all else', async () => {
    const quiet = { code: 0, stdout: '', stderr: '' };
    const edited = (file_path: string) => hook({ tool_input: { file_path } });
    expect(await edited(fileOf('f.lisp', RIGHT))).toEqual(quiet);
    expect(await edited(fileOf('f.txt', '('))).toEqual(quiet);
    expect(await edited(path.join(folder, 'gone.lisp'))).toEqual(quiet);
    expect(await hook('what')).toEqual(quiet);
    const pipe = path.join(folder, 'pipe.lisp');
    expect(spawnSync('mkfifo', [pipe]).status).toBe(0);
    expect(await edited(pipe)).toEqual(quiet);
  });
});
