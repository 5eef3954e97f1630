/** The build cache names each file by a hash of its inputs. */
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { type Build, Builds } from '../../electron/images/agent/builds';

const SOURCES = path.resolve(import.meta.dirname, '../../resources/lisp');

function temporaryFolder(): string {
  const made = mkdtempSync(path.join(tmpdir(), 'lisp-harbor-builds-'));
  onTestFinished(() => rmSync(made, { recursive: true }));
  return made;
}

/** A build that takes no time. */
const BUILD: Build = {
  title: 'Some Lisp',
  name: 'some-1.0',
  suffix: 'core',
  runtime: [],
  command: '/bin/cp',
  args: (target) => ['/dev/null', target],
  env: {},
};

it('has another name when an agent file or the list of them changed', async () => {
  const sources = temporaryFolder();
  const builds = new Builds(sources, temporaryFolder());
  const build = () => builds.get(BUILD, () => undefined);
  cpSync(SOURCES, sources, { recursive: true });
  const first = await build();
  expect(path.basename(first)).toMatch(/^some-1\.0-[0-9a-f]{16}\.core$/);
  writeFileSync(path.join(sources, 'notes.txt'), 'irrelevant');
  expect(await build()).toBe(first);

  const seen = [first];
  for (const file of ['lisp-harbor-agent.asd', 'build.lisp', 'json.lisp', 'sbcl/forks/relay.lisp']) {
    writeFileSync(path.join(sources, file), ';;;; Changed.\n');
    seen.push(await build());
  }
  expect(new Set(seen).size).toBe(5);
});

it('is deleted a month after its last use, when another one is built', async () => {
  const [sources, folder] = [temporaryFolder(), temporaryFolder()];
  const builds = new Builds(sources, folder);
  const build = (version: string) => builds.get({ ...BUILD, name: version }, () => undefined);
  const daysAgo = (days: number) => (Date.now() - days * 86_400_000) / 1000;
  const age = (file: string, days: number) => utimesSync(file, daysAgo(days), daysAgo(50));
  const [used, unused, recent] = [await build('some-1'), await build('some-2'), await build('some-3')];
  const others = ['other-1-0123456789abcdef.core', 'some-1-0123456789abcdef.fasl'];
  for (const name of others) writeFileSync(path.join(folder, name), '');
  for (const name of others) age(path.join(folder, name), 40);
  for (const file of [used, unused]) age(file, 31);
  age(recent, 29);
  await build('some-1');
  const newest = await build('some-4');
  const left = [used, recent, newest].map((file) => path.basename(file));
  expect(readdirSync(folder).sort()).toEqual([...left, ...others].sort());
});

it('keeps its modification time when images start from it, which a JVM checks', async () => {
  const builds = new Builds(SOURCES, temporaryFolder());
  const file = await builds.get(BUILD, () => undefined);
  const { mtimeMs } = statSync(file);
  utimesSync(file, 0, mtimeMs / 1000);
  expect(await builds.find(BUILD)).toBe(file);
  expect(statSync(file)).toMatchObject({ mtimeMs, atimeMs: expect.toSatisfy((at: number) => at > 0) });
});

it('is built in the background if it is optional, and a failure is not retried', async () => {
  const folder = temporaryFolder();
  const builds = new Builds(SOURCES, folder);
  expect(await builds.find(BUILD)).toBeUndefined();
  await builds.prepare(BUILD);
  expect(await builds.find(BUILD)).toBe(path.join(folder, readdirSync(folder)[0] ?? ''));

  const tries = path.join(temporaryFolder(), 'tries');
  const failing = {
    ...BUILD,
    name: 'other-1',
    command: '/bin/sh',
    args: () => ['-c', `echo >> ${tries}; exit 1`],
  };
  await builds.prepare(failing);
  await builds.prepare(failing);
  expect(statSync(tries).size).toBe(1);
  expect(await builds.find(failing)).toBeUndefined();
});

it('has one path in a folder that links name', async () => {
  const [sources, folder] = [temporaryFolder(), temporaryFolder()];
  const link = path.join(temporaryFolder(), 'link');
  symlinkSync(folder, link);
  const [direct, linked] = [new Builds(sources, folder), new Builds(sources, link)];
  const made = await direct.get(BUILD, () => undefined);
  expect(await linked.find(BUILD)).toBe(made);
});
