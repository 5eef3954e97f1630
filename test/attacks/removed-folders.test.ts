/**
 * Removing an image's folders stays within them, however its programs replace names by links. Decoys only.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { removeFolder } from '../../electron/sandbox/folder-tree';

const ROUNDS = 6;

/** In the decoy and, with the same names, in the removed folder. */
const FILES = Array.from({ length: 40 }, (_, number) => `file-${number}`);

const RENAMEAT2 = process.arch === 'arm64' ? 276 : 316;

function place() {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'removed-folders-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  filled(path.join(root, 'decoy'));
  return root;
}

function filled(folder: string) {
  mkdirSync(folder, { recursive: true });
  for (const name of FILES) writeFileSync(path.join(folder, name), 'kept');
}

const lost = (root: string) => FILES.filter((name) => !existsSync(path.join(root, 'decoy', name)));

it('a folder goes with all that is in it, however deep, and with links, not with what they lead to', async () => {
  const root = place();
  const home = path.join(root, 'home');
  const deep = Array.from({ length: 30 }, (_, level) => `level-${level}`).join('/');
  mkdirSync(path.join(home, deep), { recursive: true });
  writeFileSync(path.join(home, deep, 'file'), '');
  symlinkSync('../decoy', path.join(home, 'link'));
  symlinkSync('/nowhere', path.join(home, deep, 'link'));
  await removeFolder(home);
  await removeFolder(home);
  expect(readdirSync(root)).toEqual(['decoy']);
  expect(lost(root)).toEqual([]);
});

it('a folder that is a link by now stays, and so does what it leads to', async () => {
  const root = place();
  symlinkSync('decoy', path.join(root, 'home'));
  await expect(removeFolder(path.join(root, 'home'))).rejects.toThrow();
  expect(lost(root)).toEqual([]);
});

it('nothing of a folder whose link is swapped for one in it all the time', async () => {
  const root = place();
  for (let round = 0; round < ROUNDS; round++) {
    const home = path.join(root, `home-${round}`);
    filled(path.join(home, 'own'));
    symlinkSync('../decoy', path.join(home, 'link'));
    const swapping = spawn(
      'perl',
      [
        ...['-e', `$| = 1; print "begun\\n"; my ($p, $l) = ("own", "link");`],
        ...[
          '-e',
          `while (getppid() == ${process.pid}) { last if syscall(${RENAMEAT2}, -100, $p, -100, $l, 2) }`,
        ],
      ],
      { cwd: home, stdio: ['ignore', 'pipe', 'inherit'] },
    );
    const over = once(swapping, 'exit');
    await once(swapping.stdout, 'data');
    await removeFolder(home).catch(() => undefined);
    swapping.kill('SIGKILL');
    await over;
    expect(lost(root)).toEqual([]);
    // Without swapping, it is removed.
    await removeFolder(home);
    expect(existsSync(home)).toBe(false);
  }
});
