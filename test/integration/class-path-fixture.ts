/** Folders for classpaths of Clojure projects: a project, a home with a Maven repository, and programs that stand in for build tools. */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach } from 'vitest';
import { noteTexts } from '../../electron/contract/note';
import { type ClassPath, classPathOf, isAllowedFor } from '../../electron/images/clojure/class-path';
import type { StartRequest } from '../../electron/images/image';
import { findJava } from '../../electron/images/java';
import { LaunchFingerprint } from '../../electron/images/launch-fingerprint';
import type { Launcher } from '../../electron/launchers/launcher';
import { LocalLauncher } from '../../electron/launchers/local';
import { temporaryFolder } from '../started-harbor';
import { writeFiles } from './loading-fixture';

const found = await findJava(process.env.PATH ?? '');
if (!found) throw new Error('there is no Java');
export const java = found;

export let folder: string;
export let project: string;
export let home: string;
export let programs: string;

/** New folders for each test of a file that calls this. */
export function inOwnFolders(): void {
  beforeEach(makeFolders);
}

function makeFolders(): void {
  folder = realpathSync(temporaryFolder('classpath'));
  [project, home, programs] = ['project', 'home', 'bin'].map((name) => path.join(folder, name)) as [
    string,
    string,
    string,
  ];
  for (const each of [project, home, programs, path.join(folder, 'own/tmp')])
    mkdirSync(each, { recursive: true });
  writeFiles(project, { 'src/shop/cart.clj': '(ns shop.cart) (defn total [] 42)' });
}

/** Another project from now on. */
export function takeProject(name: string): void {
  project = path.join(folder, name);
}

/** What was told while the last classpath was made. */
export const started: string[] = [];

/** What the last classpath was made of. */
export let madeOf: LaunchFingerprint;

export function request(launcher: Launcher): StartRequest {
  const own = path.join(folder, 'own');
  const confinement = { writable: [project, own], readable: [], network: false };
  return { launcher, confinement, project, home: own, checkpoints: own };
}

/** Shared by the calls, as those of one harbor. */
const hanging = new Set<string>();

/** Returns the class path, with its notes as our own profile shows them. */
export async function classPath(
  launcher: Launcher = new LocalLauncher('a test'),
): Promise<Omit<ClassPath, 'notes'> & { notes: string[] }> {
  started.length = 0;
  const options = { java, searchPath: programs, home, hanging };
  madeOf = new LaunchFingerprint(project, isAllowedFor(request(launcher), options));
  const { notes, ...found } = await classPathOf(request(launcher), options, madeOf, (doing) =>
    started.push(doing),
  );
  return { ...found, notes: noteTexts(notes) };
}

/** A build tool that writes down what it was asked and where, and prints `said`. */
export function standIn(name: string, said: string, mark = ''): void {
  const record = path.join(project, 'asked');
  const file = path.join(programs, name);
  writeFileSync(file, `#!/bin/sh\n# ${mark}\nprintf '%s|' "$@" "$PWD" "$HOME" > ${record}\n${said}\n`);
  chmodSync(file, 0o755);
}

export const asked = async () =>
  (await readFile(path.join(project, 'asked'), 'utf8')).split('|').slice(0, -1);

/** Puts an archive where Maven keeps it; it holds the namespace `made.core`. */
export function install(group: string, artifact: string, version: string, needs = ''): string {
  const at = path.join(home, '.m2/repository', ...group.split('.'), artifact, version);
  mkdirSync(at, { recursive: true });
  writeFileSync(
    path.join(at, `${artifact}-${version}.pom`),
    `<project><dependencies>${needs}</dependencies></project>`,
  );
  const archive = path.join(at, `${artifact}-${version}.jar`);
  writeFiles(folder, { 'archive/made/core.clj': '(ns made.core)' });
  execFileSync('python3', ['-m', 'zipfile', '-c', archive, 'made/'], { cwd: path.join(folder, 'archive') });
  return archive;
}

export const dependency = (group: string, artifact: string, version: string, more = '') =>
  `<dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${version}</version>${more}</dependency>`;
