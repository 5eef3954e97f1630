/** Which files may be loaded: real folders, real links. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sourceFile } from '../../electron/sandbox/project-files';

let root: string;
let project: string;
const at = (...parts: string[]) => path.join(root, ...parts);
const refusal = (code: string) => expect.objectContaining({ code });

beforeAll(() => {
  root = realpathSync(mkdtempSync(path.join(tmpdir(), 'lisp-harbor-files-')));
  project = at('project');
  for (const folder of ['project/src', 'library', 'project-2']) mkdirSync(at(folder), { recursive: true });
  for (const file of ['project/src/a.lisp', 'library/l.lisp', 'project-2/b.lisp', 'secret.lisp'])
    writeFileSync(at(file), '1');
  symlinkSync(at('secret.lisp'), at('project/link.lisp'));
  symlinkSync(at('src/a.lisp'), at('project/dangling.lisp'));
});
afterAll(() => rmSync(root, { recursive: true }));

describe('a file to load', () => {
  it('is named relative to the project, or whole', () => {
    expect(sourceFile('src/a.lisp', project, [])).toBe(at('project/src/a.lisp'));
    expect(sourceFile(at('project/src/a.lisp'), project, [])).toBe(at('project/src/a.lisp'));
  });

  it('may be in a library', () => {
    expect(sourceFile(at('library/l.lisp'), project, [at('library')])).toBe(at('library/l.lisp'));
  });

  it('is nowhere else, whatever leads there', () => {
    for (const file of [
      '../secret.lisp',
      '../no-secret.lisp',
      'link.lisp',
      'dangling.lisp',
      '../project-2/b.lisp',
      at('library/l.lisp'),
    ])
      expect(() => sourceFile(file, project, []), file).toThrow(refusal('file_not_allowed'));
  });

  it('is refused with what a person can do about it', () => {
    expect(() => sourceFile(at('library/l.lisp'), project, [])).toThrow(
      JSON.stringify({ folder: at('library'), power: 'library', reason: '…' }),
    );
  });

  it('exists, and is no folder', () => {
    for (const file of ['none.lisp', 'src'])
      expect(() => sourceFile(file, project, []), file).toThrow(refusal('file_missing'));
  });
});
