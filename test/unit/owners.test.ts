/** Root that writes among somebody's files leaves them theirs, and gives them the new ones: all that writes beside its own. */
import { chownSync, lstatSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { readSnapshot, replaceFile } from '../../electron/connect/config-file';
import { RecordStore } from '../../electron/connect/record-store';
import { SettingsFile } from '../../electron/host/settings-file';
import { AllowList } from '../../electron/sandbox/allow-list';
import { FileGuard } from '../../electron/sandbox/guarded-files';

const SOMEBODY = { uid: 4_711, gid: 4_712 };
const bytes = Buffer.from('(written)');

/** A guard of the file tools for whom a project is all there is. */
function guardOf(root: string): FileGuard {
  const list = new AllowList({
    ...{ entries: () => [], withoutDefaults: () => [], libraries: () => [], networkProjects: () => [] },
    ...{ home: path.join(root, 'home'), dataFolder: path.join(root, 'data'), temporaryFolders: [] },
  });
  return new FileGuard({ rules: (project) => list.rules(project, []), systems: async () => [] });
}

/** What each writes; a file `old` is there before. */
const WRITERS: Readonly<Record<string, (folder: string) => unknown>> = {
  'a file tool, a new file in new folders': (folder) =>
    guardOf('/nowhere').write(folder, 'a/b/new', bytes, null),
  'a file tool, another content': (folder) =>
    guardOf('/nowhere').change(folder, 'old', () => ({ bytes, answer: null })),
  'a client’s configuration': async (folder) =>
    replaceFile(await readSnapshot(path.join(folder, 'old')), bytes),
  'a client’s new configuration': async (folder) =>
    replaceFile(await readSnapshot(path.join(folder, 'a/b/new')), bytes),
  'the backup of a configuration': (folder) =>
    new RecordStore(path.join(folder, 'connect')).backUp('a', bytes),
  'the settings, with their backup': (folder) => {
    const settings = new SettingsFile(path.join(folder, 'settings.json'));
    settings.change({ keepReady: false });
    settings.change({ keepReady: true });
  },
};

it.runIf(process.getuid?.() === 0).each(Object.entries(WRITERS))('%s', async (_, write) => {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'lisp-harbor-owners-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(path.join(folder, 'old'), '(old)');
  for (const each of ['', 'old']) chownSync(path.join(folder, each), SOMEBODY.uid, SOMEBODY.gid);
  const found = () =>
    readdirSync(folder, { recursive: true }).map((name) => {
      const { uid, gid, ino } = lstatSync(path.join(folder, String(name)));
      return { name, uid, gid, ino };
    });
  const before = found();
  await write(folder);
  expect(found()).not.toEqual(before);
  expect(found()).toEqual(found().map((each) => ({ ...each, ...SOMEBODY })));
});
