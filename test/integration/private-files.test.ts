/**
 * An evaluation that writes to a private folder of its session reports that: in each engine, once per file.
 */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PrivateFolders } from '../../electron/launchers/private-folders';
import { call, evaluate } from '../evaluation';
import { StartedHarbor } from '../started-harbor';

let harbor: StartedHarbor;
let client: Client;

beforeAll(async () => {
  harbor = await StartedHarbor.start({ args: ['--engine', 'sbcl'] });
  client = await harbor.client();
});
afterAll(() => harbor.stop());

const NOTE = 'Written where only this image sees it; lost when the image ends: ';

const WRITING = [
  [
    'sbcl',
    (file: string) =>
      `(with-open-file (out "${file}" :direction :output :if-exists :append :if-does-not-exist :create) (print 1 out))`,
  ],
  [
    'acl2',
    (file: string) =>
      `(mv-let (channel state) (open-output-channel "${file}" :character state) (close-output-channel channel state))`,
  ],
  ['clojure', (file: string) => `(spit "${file}" "1")`],
  ['nbb', (file: string) => `(.writeFileSync (js/require "fs") "${file}" "1")`],
] as const;

it.each(WRITING)('%s', async (engine, write) => {
  const { structured } = await call<{ session: string }>(client, 'open_session', { engine });
  const { session } = structured;
  const notes = async (code: string) =>
    (await evaluate(client, code, { session })).structured.notes.filter((note) => note.startsWith('Written'));
  expect(await notes('1')).toEqual([]);
  expect(await notes(write('/tmp/out.csv'))).toEqual([
    `${NOTE}/tmp/out.csv. Write files that you want to keep into the project.`,
  ]);
  expect(await notes(write('/tmp/out.csv'))).toEqual([]);
  expect(await notes(write('in-the-project.txt'))).toEqual([]);
  expect(await notes(write('/tmp/other'))).toEqual([expect.stringContaining('/tmp/other')]);
});

it('tells of the session’s own home folder too, and takes no name for words of its own', async () => {
  const { structured } = await evaluate(
    client,
    `(progn (with-open-file (out (merge-pathnames "report.txt" (user-homedir-pathname)) :direction :output) (print 1 out))
       (dotimes (i 5) (open (format nil "/tmp/a note: ~D" i) :direction :output :if-exists :append :if-does-not-exist :create)))`,
  );
  const notes = structured.notes.filter((note) => note.startsWith('Written'));
  expect(notes).toEqual([
    expect.stringMatching(/lost when the image ends: "\/tmp\/a note: \d".* and 2 more\./),
    expect.stringMatching(/home folder, which is deleted with the session: \S+\/home\/report\.txt\./),
  ]);
});

it('costs next to nothing while nothing is written', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'lisp-harbor-private-'));
  const folders = new PrivateFolders([{ folder: '/tmp', lasts: 'image', find: async () => folder }]);
  expect(await folders.newEntries()).toEqual([]);
  writeFileSync(path.join(folder, 'new'), '');
  expect(await folders.newEntries()).toEqual([{ folder: '/tmp', lasts: 'image', paths: ['/tmp/new'] }]);
  const before = process.cpuUsage();
  for (let look = 0; look < 1_000; look += 1) await folders.newEntries();
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1_000).toBeLessThan(1_000);
});
