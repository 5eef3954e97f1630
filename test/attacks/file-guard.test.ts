/** Attempts to escape the file guard: paths that a client may name to read, write or list. */
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FileGuard } from '../../electron/sandbox/guarded-files';
import { KEPT, type Place } from './attack';
import { defaultList } from './confined-session';
import { HOSTILE_PATHS, makeLinks } from './paths';
import { type Decoys, placeDecoys } from './place';

let decoys: Decoys;
let place: Place;
let guard: FileGuard;
const ends: (() => unknown)[] = [];

beforeAll(async () => {
  decoys = await placeDecoys(1, (end) => ends.unshift(end));
  place = decoys.place(0);
  const list = defaultList(place);
  guard = new FileGuard({
    rules: (project, systems) => list.rules(project, systems),
    // The strongest claim of an image.
    systems: async () =>
      ['/', place.home, place.outside].map((folder) => ({ name: 'claim', folder, session: 'sbcl-1' })),
  });
  makeLinks(place);
});
afterAll(async () => {
  for (const end of ends) await end();
});

function expectUntouched(): void {
  expect([decoys.untouched(0), decoys.changed()]).toEqual([true, []]);
}

const FILES = new Map([['deep/new', Buffer.from('decoy')]]);

const refused = expect.objectContaining({
  code: expect.stringMatching(/^(path_not_allowed|secret_path|file_missing|not_a_file)$/),
});

describe('the file tools’ guard', () => {
  it.each(HOSTILE_PATHS)('reads nothing by %s', async (_why, file) => {
    await expect(guard.read(place.project, file(place))).rejects.toThrow(refused);
  });

  it.each(HOSTILE_PATHS.filter(([why]) => why !== 'a home by its short name'))(
    'writes nothing by %s',
    async (_why, file) => {
      const named = file(place);
      for (const target of [named, `${named}-new`, path.join(path.dirname(named), 'new/deep')])
        await guard.write(place.project, target, Buffer.from('decoy'), null).catch((error: unknown) => {
          expect(error, target).toMatchObject({ name: 'HarborError' });
        });
      for (const target of [named, `${named}-folder`, path.join(path.dirname(named), 'new/folder')])
        await guard.create(place.project, target, FILES).catch((error: unknown) => {
          expect(error, target).toMatchObject({ name: 'HarborError' });
        });
      expectUntouched();
    },
  );

  it.each([
    ['a hook', '.git/hooks/pre-commit'],
    ['a new folder', '.git/modules/new/config'],
    ['a hook by a link', 'gits/hooks/pre-commit'],
    ['a hook by ..', 'src/../.git/hooks/pre-commit'],
  ])('writes nothing that Git runs: %s', async (_what, file) => {
    const writing = guard.write(place.project, file, Buffer.from('decoy'), null);
    await expect(writing).rejects.toThrow(/\.git.*does not allow writing/);
    await expect(guard.create(place.project, file, FILES)).rejects.toThrow(/\.git.*does not allow writing/);
    const around = new Map([[path.basename(file), Buffer.from('decoy')]]);
    await expect(guard.create(place.project, path.dirname(file), around)).rejects.toThrow(refused);
    expectUntouched();
  });

  it('replaces no settings of Git, also for who knows what is in them', async () => {
    const { hash, bytes } = await guard.read(place.project, '.git/config');
    expect(Buffer.from(bytes).toString()).toBe(KEPT);
    const writing = guard.write(place.project, '.git/config', Buffer.from('decoy'), hash);
    await expect(writing).rejects.toThrow(refused);
    expectUntouched();
  });

  it('stays in the project while somebody swaps a folder and a link', async () => {
    const [folder, aside, link] = ['swapped', 'aside', 'link'].map((name) =>
      path.join(place.project, name),
    ) as [string, string, string];
    for (let round = 0; round < 60; round += 1) {
      mkdirSync(folder, { recursive: true });
      symlinkSync(place.outside, link);
      const bytes = Buffer.from('decoy');
      const writing = guard.write(place.project, 'swapped/deep/new', bytes, null).catch(() => null);
      const making = guard.create(place.project, 'swapped/made', FILES).catch(() => null);
      const reading = guard.read(place.project, 'swapped/kept').catch(() => null);
      for (let turn = 0; turn < round % 6; turn += 1) await Promise.resolve();
      if (round % 2 === 1) await new Promise((resolve) => setImmediate(resolve));
      renameSync(folder, aside);
      renameSync(link, folder);
      await Promise.all([writing, making]);
      expect(await reading).toBeNull();
      expectUntouched();
      for (const each of [folder, aside, link]) rmSync(each, { recursive: true, force: true });
    }
    writeFileSync(path.join(place.work, 'own.lisp'), '(own)');
    expectUntouched();
  });
});
