/** The classpath of Clojure projects: from build tools, which are mocks here, or from real build files. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { ANSWER_MS } from '../../electron/images/clojure/build-tools';
import { ClassPaths } from '../../electron/images/clojure/class-path';
import { ClojureEngine } from '../../electron/images/clojure/engine';
import { BubblewrapLauncher, readHostLayout } from '../../electron/launchers/bubblewrap';

import { LocalLauncher } from '../../electron/launchers/local';
import { STARTING_MS } from '../nrepl-server';
import { CORES } from '../shared-cores';
import {
  asked,
  classPath,
  dependency,
  folder,
  home,
  inOwnFolders,
  install,
  java,
  programs,
  project,
  request,
  standIn,
  started,
  takeProject,
} from './class-path-fixture';
import { OPTIONS } from './clojure-fixture';
import { writeFiles } from './loading-fixture';
import { TestImage } from './test-image';

inOwnFolders();

describe('a build tool', () => {
  const TOOLS = [
    ['deps.edn', 'clojure', '-Spath', ['-Spath']],
    ['project.clj', 'lein', '', ['-o', 'classpath']],
    ['shadow-cljs.edn', 'shadow-cljs', '', ['classpath']],
    ['bb.edn', 'bb', '', ['print-deps', '--format', 'classpath']],
  ] as const;

  for (const [file, name, mark, args] of TOOLS)
    it(`${name} tells the classpath of ${file}, and is asked in the project with a home of its own`, async () => {
      writeFileSync(path.join(project, file), '{}');
      const archive = install('org.x', 'y', '1');
      standIn(name, `echo downloading; echo src:${archive}:gone`, mark);
      expect(await classPath()).toEqual({ entries: [path.join(project, 'src'), archive], notes: [] });
      expect(await asked()).toEqual([...args, project, path.join(folder, 'own')]);
      expect(started).toEqual([`running ${[name, ...args].join(' ')} for the classpath`]);
    });

  it('runs confined, without a network and without the files of the person', async () => {
    writeFileSync(path.join(project, 'deps.edn'), '{}');
    writeFileSync(path.join(home, 'secret'), 'x');
    const archive = install('org.x', 'y', '1');
    const peek = `test -e ${home}/secret || test -w ${archive} && exit 3; test -r ${archive} || exit 4`;
    standIn('clojure', `${peek}; echo src:${archive}`, '-Spath');
    const launcher = new BubblewrapLauncher(readHostLayout());
    expect(await classPath(launcher)).toEqual({ entries: [path.join(project, 'src'), archive], notes: [] });
  });

  it('names nothing that the project may not read', async () => {
    writeFileSync(path.join(project, 'project.clj'), '(defproject a "1")');
    writeFiles(home, { '.ssh/key': 'secret' });
    symlinkSync(path.join(home, '.ssh'), path.join(project, 'link'));
    standIn('lein', `echo src:link:${home}/.ssh`);
    const { entries, notes } = await classPath();
    expect(entries).toEqual([path.join(project, 'src')]);
    expect(notes).toEqual([
      expect.stringMatching(/^Not on the classpath, because this project may not read it: .*\.ssh/),
    ]);
  });

  it('that fails is told, and the build file is read instead', async () => {
    writeFileSync(path.join(project, 'deps.edn'), '{:paths ["src" "gen"]}');
    mkdirSync(path.join(project, 'gen'));
    standIn('clojure', 'echo no network >&2; exit 1', '-Spath');
    const { entries, notes } = await classPath();
    expect(entries).toEqual([path.join(project, 'src'), path.join(project, 'gen')]);
    expect(notes[0]).toMatch(
      /^`clojure -Spath` did not return the classpath \(no network\); it was read from deps\.edn/,
    );
  });

  it('is asked again when its file has changed, or something was missing', async () => {
    if (!java) throw new Error('there is no Java');
    const file = path.join(project, 'deps.edn');
    writeFileSync(file, '{}');
    const counter = `echo x >> ${folder}/count`;
    standIn('clojure', `${counter}; echo src`, '-Spath');
    const classPaths = new ClassPaths();
    const options = { java, searchPath: programs, home };
    const ask = () => classPaths.of(request(new LocalLauncher('a test')), options, () => undefined);
    const count = async () => (await readFile(path.join(folder, 'count'), 'utf8')).length / 2;
    await ask();
    expect(await ask()).toMatchObject({ entries: [path.join(project, 'src')], notes: [] });
    expect(await count()).toBe(1);
    writeFileSync(file, '{:paths ["src"]}');
    standIn('clojure', `${counter}; exit 1`, '-Spath');
    await ask();
    await ask();
    expect(await count()).toBe(3);
  });

  it('is not Debian’s clojure, which only starts Clojure', async () => {
    writeFileSync(path.join(project, 'deps.edn'), '{}');
    standIn('clojure', 'exit 1');
    expect(await classPath()).toEqual({ entries: [path.join(project, 'src')], notes: [] });
    expect(started).toEqual([]);
  });
});

it('a tool that hangs does not keep the session from opening, and is asked once', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  writeFileSync(path.join(project, 'deps.edn'), '{:paths ["src"]}');
  standIn('clojure', 'exec cat /dev/zero > /dev/null', '-Spath');
  const opening = classPath();
  await vi.waitFor(() => expect(started).toHaveLength(1), { interval: 20 });
  let isOpen = false;
  void opening.finally(() => (isOpen = true));
  // Other timers may come first.
  while (!isOpen) {
    await vi.advanceTimersByTimeAsync(ANSWER_MS);
    await new Promise((resolve) => setImmediate(resolve));
  }
  const { entries, notes } = await opening;
  expect(entries).toEqual([path.join(project, 'src')]);
  expect(notes[0]).toMatch(/did not answer within/);
  expect((await classPath()).entries).toEqual(entries);
  expect(started).toEqual([]);
});

describe('without a tool', () => {
  it('deps.edn is read, with libraries that Maven has here and those that they need', async () => {
    const other =
      dependency('org.x', 'tests', '1', '<scope>test</scope>') +
      dependency('org.x', 'maybe', '1', '<optional>true</optional>');
    const one = install('org.x', 'one', '1', dependency('org.x', 'two', '2') + other);
    const two = install('org.x', 'two', '2', dependency('org.x', 'three', '3'));
    writeFiles(project, {
      'deps.edn': '{:deps {org.x/one {:mvn/version "1"} g/h {:git/sha "1"} lib/it {:local/root "lib"}}}',
      'lib/deps.edn': '{:paths ["code"] :deps {org.x/two {:mvn/version "2"} up/it {:local/root ".."}}}',
      'lib/code/it.clj': '(ns it)',
    });
    expect(await classPath()).toEqual({
      entries: [path.join(project, 'src'), path.join(project, 'lib/code'), one, two],
      notes: [
        'Not on the classpath: org.x/three 3, g/h (from git). Run `clojure -P` in a terminal to fetch what Maven has, then open another session, or attach to an nREPL server that the build tool starts.',
      ],
    });
  });

  it('Debian’s Maven repository counts', async () => {
    const text = '{:deps {org.clojure/clojure {:mvn/version "1.11.1"} nrepl/nrepl {:mvn/version "debian"}}}';
    writeFileSync(path.join(project, 'deps.edn'), text);
    const { entries, notes } = await classPath();
    expect(notes.filter((note) => /nrepl/.test(note))).toEqual([]);
    expect(entries.some((entry) => /^\/usr\/share\/.*nrepl.*\.jar$/.test(entry))).toBe(true);
  });

  it('what needs evaluation is told of', async () => {
    writeFileSync(path.join(project, 'deps.edn'), '{:paths #=(System/exit 1)}');
    const { entries, notes } = await classPath();
    expect(entries).toEqual([path.join(project, 'src')]);
    expect(notes).toEqual([expect.stringMatching(/evaluation: 1:\d+ #=/)]);
  });

  it('nothing is said of a project without a build file', async () => {
    expect(await classPath()).toEqual({ entries: [path.join(project, 'src')], notes: [] });
  });
});

describe('a build file that is out for what others have', () => {
  const DECOY = 'decoy-of-a-secret';
  const deps = (root: string) =>
    writeFileSync(path.join(project, 'deps.edn'), `{:deps {lib/it {:local/root "${root}"}}}`);

  beforeEach(() => {
    writeFiles(folder, { 'outside/deps.edn': `{:deps {${DECOY} {:git/sha "1"}}}`, 'outside/made/x.clj': '' });
  });

  it('does not have their build files read, and hears nothing of what is there', async () => {
    symlinkSync(path.join(folder, 'outside'), path.join(project, 'link'));
    symlinkSync(path.join(folder, 'not-there'), path.join(project, 'dangling'));
    for (const [there, gone] of [
      ['../outside', '../not-there'],
      [path.join(folder, 'outside'), path.join(folder, 'not-there')],
      ['link', 'dangling'],
      ['link/made', 'dangling/made'],
    ] as const) {
      const told: string[] = [];
      for (const root of [there, gone]) {
        deps(root);
        const { entries, notes } = await classPath();
        expect(entries).toEqual([path.join(project, 'src')]);
        expect(notes.join(' ')).not.toContain(DECOY);
        told.push(notes.join(' ').replaceAll(path.resolve(project, root), 'ROOT'));
      }
      expect(told[0]).toBe(told[1]);
    }
  });

  it('is none when it leads out of the project, and is not waited for when it is a pipe', async () => {
    symlinkSync(path.join(folder, 'outside/deps.edn'), path.join(project, 'deps.edn'));
    expect((await classPath()).notes.join(' ')).not.toContain(DECOY);
    rmSync(path.join(project, 'deps.edn'));
    execFileSync('mkfifo', [path.join(project, 'deps.edn')]);
    expect((await classPath()).notes).toEqual([expect.stringMatching(/^deps\.edn does not say/)]);
    mkdirSync(path.join(project, 'node_modules/.bin'), { recursive: true });
    execFileSync('mkfifo', ['-m', '755', path.join(project, 'node_modules/.bin/clojure')]);
    expect((await classPath()).entries).toEqual([path.join(project, 'src')]);
  });

  it('has no description of a library read outside of a repository', async () => {
    const needs = dependency(DECOY, 'x', '1');
    writeFiles(folder, { 'outside.pom': `<project><dependencies>${needs}</dependencies></project>` });
    mkdirSync(path.join(home, '.m2/repository'), { recursive: true });
    const library = 'ok/jar {:mvn/version "../../../../outside"}';
    writeFileSync(path.join(project, 'deps.edn'), `{:deps {${library}}}`);
    expect((await classPath()).notes.join(' ')).not.toContain(DECOY);
  });

  it('leaves nothing behind for the project that is opened next', async () => {
    writeFiles(project, { 'lib/x.clj': '' });
    deps('lib');
    expect((await classPath()).entries).toContain(path.join(project, 'lib'));
    const first = project;
    takeProject('next');
    writeFiles(project, { 'src/y.clj': '', 'deps.edn': '{}' });
    const { entries, notes } = await classPath();
    expect({ entries, notes }).toEqual({ entries: [path.join(project, 'src')], notes: [] });
    expect(JSON.stringify(notes)).not.toContain(first);
  });
});

it('a JVM starts with that classpath, says what it does meanwhile, and what is missing', {
  timeout: STARTING_MS,
}, async () => {
  install('org.made', 'core', '0.1.0');
  writeFileSync(
    path.join(project, 'deps.edn'),
    '{:deps {org.made/core {:mvn/version "0.1.0"} no.such/thing {:mvn/version "9"}}}',
  );
  const engine = new ClojureEngine({ ...OPTIONS, searchPath: programs, home });
  const doing: string[] = [];
  const launcher = new BubblewrapLauncher(readHostLayout());
  const image = await engine.start(request(launcher), (each) => doing.push(each));
  try {
    expect(doing).toEqual(['starting a JVM', 'waiting for its nREPL']);
    expect(image.introduction?.[0]?.text).toMatch(/^Not on the classpath: no\.such\/thing 9\./);
    const { values } = await new TestImage(image).evaluate(
      `(require 'made.core 'shop.cart) [(boolean (find-ns 'made.core)) (shop.cart/total)]`,
    );
    expect(values.at(-1)).toEqual(['[true 42]']);
    // One of its archives could contain another nREPL or Clojure, so nothing is compiled for it.
    const entries = await new TestImage(image).evaluate('(System/getProperty "java.class.path")');
    expect(entries.values.at(-1)?.[0]).not.toContain(CORES);
    const written = await new TestImage(image).evaluate(
      '(spit "src/written.clj" "1") (slurp "src/written.clj")',
    );
    expect(written.values.at(-1)).toEqual(['"1"']);
  } finally {
    await image.end();
  }
});
