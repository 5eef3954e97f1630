/**
 * Closed paths stay closed, whatever code renames the folders above them: one image renames, and the next
 * one, confined anew, tries to reach them. Decoys only.
 */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { AllowEntry } from '../../electron/contract/sandbox';
import type { Launcher } from '../../electron/launchers/launcher';
import { LocalLauncher } from '../../electron/launchers/local';
import { AllowList } from '../../electron/sandbox/allow-list';
import { outcome } from '../integration/launch-place';
import { SANDBOXES } from './launchers';

interface Renaming {
  name: string;
  /** Each runs in the project in its own image; the output of the last one is the result. */
  scripts: readonly string[];
}

const RENAMEAT2 = process.arch === 'arm64' ? 276 : 316;

/** Swaps two names in the working folder with renameat2(2). */
const exchanged = (one: string, other: string) =>
  `perl -e '($a, $b) = ("${one}", "${other}"); exit !!syscall(${RENAMEAT2}, -100, $a, -100, $b, 2)'`;

/** The project contains a home folder, whose secrets are closed. */
const RENAMINGS: readonly Renaming[] = [
  {
    name: 'the folder above a secret',
    scripts: ['cd me/.config; mv git git2', 'cat me/.config/git2/credentials'],
  },
  { name: 'a folder further above', scripts: ['mv me you', 'cat you/.config/git/credentials'] },
  { name: 'it, for another', scripts: [exchanged('me', 'other'), 'cat other/.config/git/credentials'] },
  { name: 'it into another', scripts: ['mv me other', 'cat other/me/.config/git/credentials'] },
  {
    name: 'the folder above what may be read only',
    scripts: ['mv vendor v2', 'echo ESCAPED > v2/lib/code && cat v2/lib/code'],
  },
];

/** Returns a confinement of the current state. */
function place() {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'renamed-folders-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const project = path.join(root, 'project');
  const files = { 'me/.config/git/credentials': 'ESCAPED', 'vendor/lib/code': 'kept', 'other/file': 'kept' };
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(project, file)), { recursive: true });
    writeFileSync(path.join(project, file), content);
  }
  const list = new AllowList({
    entries: () => [AllowEntry.parse({ folder: path.join(project, 'vendor/lib'), power: 'read' })],
    ...{ withoutDefaults: () => [], libraries: () => [], networkProjects: () => [] },
    ...{ home: path.join(project, 'me'), dataFolder: path.join(root, 'data'), temporaryFolders: [tmpdir()] },
  });
  return { project, confinement: () => list.confinement(project) };
}

/** The output of the last image. */
async function got(launcher: Launcher, { scripts }: Renaming): Promise<string> {
  const { project, confinement } = place();
  let said = '';
  for (const script of scripts) {
    const program = {
      command: '/bin/sh',
      args: ['-c', script],
      env: { PATH: '/usr/bin:/bin' },
      cwd: project,
    };
    const { stdout } = await outcome(launcher.launch({ ...program, needs: [] }, confinement()));
    said = stdout;
  }
  return said.trim();
}

describe.each(SANDBOXES)('code in $name cannot open what is closed by renaming', (sandbox) => {
  let launcher: Launcher;

  beforeAll(async () => {
    launcher = await sandbox.launcher();
  });

  it.each(RENAMINGS)('$name', async (renaming) => {
    expect(await got(launcher, renaming)).toBe('');
  });
});

it.each(RENAMINGS)('not confined, it can, by renaming $name', async (renaming) => {
  expect(await got(new LocalLauncher('for the proof'), renaming)).toBe('ESCAPED');
});
