/**
 * Reading files where sandboxed code can write: real links, pipes and replaced names, with a decoy next to
 * the folder.
 */
import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { projectServer } from '../../electron/sandbox/named-servers';
import { realPath } from '../../electron/sandbox/paths';
import { filesBelow, pathWithin, readWithin } from '../../electron/sandbox/project-files';
import { temporaryFolder } from '../started-harbor';

const DECOY = 'decoy-of-a-secret';

let root: string;
let project: string;
const at = (...parts: string[]) => path.join(root, ...parts);
const refusal = (code: string) => expect.objectContaining({ code });

beforeEach(() => {
  root = realpathSync(temporaryFolder('within'));
  project = at('project');
  mkdirSync(at('project/src'), { recursive: true });
  mkdirSync(at('outside'));
  writeFileSync(at('outside/secret'), DECOY);
  writeFileSync(at('project/src/file'), 'mine');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe('a file within a folder', () => {
  it('is read, also behind a link that stays inside', async () => {
    symlinkSync('src/file', at('project/link'));
    expect((await readWithin(project, 'link'))?.toString()).toBe('mine');
    expect(await readWithin(project, 'none')).toBeNull();
    expect(await readWithin(project, 'src/none/deeper')).toBeNull();
  });

  it('is refused if a link or a name leads outside, whether the target exists or not', async () => {
    symlinkSync(at('outside'), at('project/out'));
    symlinkSync(at('outside/secret'), at('project/there'));
    symlinkSync(at('outside/none'), at('project/not-there'));
    symlinkSync('not-there', at('project/twice'));
    for (const name of [
      'there',
      'not-there',
      'twice',
      'out/secret',
      'out/none',
      'out/no/ne',
      '../outside/secret',
    ]) {
      const refused = readWithin(project, name);
      await expect(refused, name).rejects.toThrow(refusal('path_not_allowed'));
      await expect(refused, name).rejects.not.toThrow(DECOY);
      expect(pathWithin(project, name), name).toBeNull();
    }
  });

  it('is refused if a link replaced the folder', async () => {
    renameSync(project, at('own'));
    symlinkSync('outside', project);
    await expect(readWithin(project, 'secret')).rejects.toThrow(refusal('path_not_allowed'));
  });

  it('must be a regular file of limited size; a pipe does not block', async () => {
    execFileSync('mkfifo', [at('project/pipe')]);
    await expect(readWithin(project, 'pipe')).rejects.toThrow(refusal('not_a_file'));
    await expect(readWithin(project, 'src')).rejects.toThrow(refusal('not_a_file'));
    truncateSync(at('project/src/file'), 2_000_000);
    await expect(readWithin(project, 'src/file')).rejects.toThrow(refusal('not_supported'));
  });

  it('is refused in a cycle of links', async () => {
    symlinkSync('b', at('project/a'));
    symlinkSync('a', at('project/b'));
    expect(path.dirname(realPath(at('project/a')))).toBe(project);
    await expect(readWithin(project, 'a')).rejects.toThrow(refusal('path_not_allowed'));
  });
});

async function allOf<E>(entries: AsyncIterable<E>): Promise<E[]> {
  const all: E[] = [];
  for await (const entry of entries) all.push(entry);
  return all;
}

it('the files below a folder do not include those behind a link', async () => {
  symlinkSync(at('outside'), at('project/out'));
  expect(await allOf(filesBelow(project))).toEqual([path.join('src', 'file')]);
});

describe('a port file', () => {
  const named = (text: string) => {
    writeFileSync(at('project/.nrepl-port'), text);
    return projectServer(project);
  };

  it('names a port, and its content is never quoted', async () => {
    expect(await named(' 7888\n')).toMatchObject({ port: 7888, portFile: at('project/.nrepl-port') });
    for (const text of [DECOY, '0', '70000', '', '78 88']) {
      await expect(named(text), text).rejects.toThrow(
        /does not contain a port: its \d+ bytes are not a number/,
      );
      if (text !== '') await expect(named(text), text).rejects.not.toThrow(`"${text}"`);
    }
    await expect(named(DECOY)).rejects.not.toThrow(DECOY);
  });

  it('is not read through a link out of the project, and a pipe does not block', async () => {
    symlinkSync(at('outside/secret'), at('project/.nrepl-port'));
    await expect(projectServer(project)).rejects.toThrow(refusal('path_not_allowed'));
    rmSync(at('project/.nrepl-port'));
    execFileSync('mkfifo', [at('project/.nrepl-port')]);
    await expect(projectServer(project)).rejects.toThrow(refusal('not_a_file'));
  });
});
