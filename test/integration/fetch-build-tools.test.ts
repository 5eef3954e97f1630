/**
 * How build tools other than Leiningen are run to fetch libraries: mocks report what they see, and download
 * with curl.
 */
import { chmodSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { noteTexts } from '../../electron/contract/note';
import { phraseText } from '../../electron/contract/phrase';
import { ClojureEngine } from '../../electron/images/clojure/engine';
import { ClojureFetcher } from '../../electron/images/clojure/fetcher';
import { Engines } from '../../electron/images/discovery';
import { LibraryFetch } from '../../electron/images/library-fetch';
import { BubblewrapLauncher, readHostLayout } from '../../electron/launchers/bubblewrap';

import { LibraryFetches, LibraryFolders } from '../../electron/sessions/library-fetches';

import { publish } from '../maven';
import { temporaryFolder } from '../started-harbor';
import { WebFolder } from '../web-folder';
import { OPTIONS } from './clojure-fixture';
import { writeFiles } from './loading-fixture';

const THING = 'org/made/thing/3/thing-3.jar';

let project: string;
let home: string;
let programs: string;
let web: WebFolder;

beforeEach(async () => {
  [project, home, programs] = ['project', 'home', 'bin'].map(temporaryFolder) as [string, string, string];
  const repository = temporaryFolder('repository');
  publish(repository, { group: 'org.made', artifact: 'thing', version: '3' });
  web = await WebFolder.start([repository]);
  onTestFinished(() => web.stop());
});

/**
 * A mock tool: it prints its arguments and whether each file exists, writes a note, and downloads an archive.
 */
function standIn(name: string, files: readonly string[], mark = ''): void {
  const seen = files.map((file) => `test -r '${file}' && echo 'sees ${file}'`).join('\n');
  const notes = 'mkdir .cpcache && touch lib/made 2>/dev/null && echo "wrote into lib"';
  const fetches = `curl -s --create-dirs -o "$HOME/.m2/repository/${THING}" ${web.url}${THING}`;
  const file = path.join(programs, name);
  writeFileSync(file, `#!/bin/sh\n# ${mark}\nprintf '%s\\n' "$@"\n${seen}\n${notes}\n${fetches}\n`);
  chmodSync(file, 0o755);
}

async function fetched() {
  const folders = new LibraryFolders(temporaryFolder('libraries')).of(project);
  const fetcher = new ClojureFetcher({ searchPath: `${programs}:${process.env.PATH}`, home });
  const plan = await fetcher.plan({ project, folders, libraries: [] });
  const launcher = new BubblewrapLauncher(readHostLayout());
  let printed = '';
  const fetch = new LibraryFetch({ plan, folders, launcher, confinement: {} });
  const { outcome, notes } = await fetch.run((_stream, text) => {
    printed += text;
  });
  return { line: plan.line, outcome, notes, printed: printed.trim().split('\n') };
}

it('clojure is given the person’s repository as one more, and sees the project, with its local ones, and no other folder', async () => {
  mkdirSync(path.join(home, '.m2/repository'), { recursive: true });
  const other = temporaryFolder('other');
  writeFiles(other, { 'deps.edn': '{}', 'secret.txt': '' });
  writeFiles(project, {
    'deps.edn': `{:deps {lib/it {:local/root "lib"} lib/other {:local/root "${other}"}}}`,
    'lib/deps.edn': '{}',
  });
  symlinkSync(path.join(other, 'secret.txt'), path.join(project, 'linked.txt'));
  const files = ['deps.edn', 'lib/deps.edn', 'linked.txt', `${other}/deps.edn`, `${home}/.m2/repository`];
  standIn('clojure', files, '-Spath');
  const repository = `{:mvn/repos {"own" {:url "file://${home}/.m2/repository"}}}`;
  const { line, outcome, notes, printed } = await fetched();
  expect(line).toBe(`clojure -Sdeps '${repository}' -P`);
  expect(printed).toEqual([
    ...['-Sdeps', repository, '-P'],
    ...['sees deps.edn', 'sees lib/deps.edn', `sees ${home}/.m2/repository`],
  ]);
  expect(outcome).toBe('ok');
  expect(readdirSync(project).sort()).toEqual(['deps.edn', 'lib', 'linked.txt']);
  expect(noteTexts(notes).join()).toContain(`Fetched: ${THING}.`);
});

it.each([
  ['shadow-cljs.edn', 'shadow-cljs', ['classpath']],
  ['bb.edn', 'bb', ['prepare']],
] as const)('%s is left to %s', async (file, name, args) => {
  writeFiles(project, { [file]: '{}' });
  standIn(name, [file]);
  const { outcome, printed } = await fetched();
  expect(outcome).toBe('ok');
  expect(printed).toEqual([...args, `sees ${file}`]);
});

it('tells a person the command, where it runs, and what it reads and writes', async () => {
  writeFiles(project, { 'bb.edn': '{}' });
  standIn('bb', []);
  const launcher = new BubblewrapLauncher(readHostLayout());
  const engine = new ClojureEngine({ ...OPTIONS, searchPath: `${programs}:${process.env.PATH}`, home });
  const folders = new LibraryFolders(temporaryFolder('libraries'));
  const fetches = new LibraryFetches({
    ...{ engines: new Engines([engine], () => undefined), launcher, folders },
    confine: () => ({ writable: [project], readable: [], network: false }),
    checkProject: () => undefined,
  });
  const limits = { heapMiB: null, cpuSeconds: null, outputChars: null };
  const identity = {
    id: 's',
    name: 's',
    engine: 'clojure',
    client: 'c',
    project,
    limits,
    openedAt: 0,
  } as const;
  const evaluate = () => {
    throw new Error('nobody has agreed');
  };
  const { line, meaning } = await fetches.plan({ identity, evaluate });
  expect(line).toBe('bb prepare');
  expect(phraseText(meaning)).toBe(
    `Run by ${programs}/bb for ${project}, in the sandbox, with network access: code of the project and of the fetched libraries may run. It reads ${project}, ${['.m2/repository', '.gitlibs/libs', '.lein/self-installs'].map((name) => path.join(home, name)).join(', ')}, and writes to ${folders.of(project).fetched}.`,
  );
});

it('without its tool, or without a build file, says what is missing', async () => {
  await expect(fetched()).rejects.toThrow(
    'has no build file (deps.edn, project.clj, shadow-cljs.edn, bb.edn)',
  );
  writeFiles(project, { 'shadow-cljs.edn': '{}' });
  await expect(fetched()).rejects.toThrow('`npx shadow-cljs classpath`');
});

it('names nothing of a folder that the cache was made to lead to', async () => {
  writeFiles(project, { 'bb.edn': '{}' });
  writeFiles(home, { 'private/diary.jar': '' });
  const file = path.join(programs, 'bb');
  writeFileSync(file, `#!/bin/sh\nmkdir "$HOME/.m2" && ln -s ${home}/private "$HOME/.m2/repository"\n`, {
    mode: 0o755,
  });
  const { outcome, notes } = await fetched();
  expect(outcome).toBe('ok');
  expect(noteTexts(notes).join()).not.toContain('diary');
});
