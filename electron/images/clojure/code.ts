/**
 * The code that a JVM loads to become an image: the project's classpath, Clojure and nREPL, with code
 * compiled ahead of time and class data for a faster start.
 */

import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Build, Builds } from '../agent/builds';
import type { ClojureInstallation } from './installation';

export interface Code {
  classPath: readonly string[];
  /** JVM options. */
  options: readonly string[];
  /** Paths that must be readable besides the project's entries. */
  needs: readonly string[];
  /** Whether the code compiled ahead of time is used. */
  isCompiled: boolean;
  /** Class data to build for later images. */
  lacking: Build | null;
}

/**
 * @param entries the project's classpath
 * @param sources folder of our own Clojure files
 * @param report called if there is something to wait for
 */
export async function codeOf(
  installation: ClojureInstallation,
  entries: readonly string[],
  sources: string,
  builds: Builds,
  report: (doing: string) => void,
): Promise<Code> {
  const { archives } = installation;
  const none = { options: [], isCompiled: false, lacking: null };
  if (await mayBringOtherCode(entries))
    return { ...none, classPath: [...entries, ...archives], needs: archives };
  const compiled = await builds.get(compiling(installation, sources), report);
  const needs = [compiled, ...archives];
  const code = { ...none, needs, isCompiled: true };
  const haveSame = await Promise.all(entries.map(hasSameNamespaces));
  // The folder's versions must be found before ours, and class data works only for a matching prefix of the
  // classpath.
  if (haveSame.includes(true)) return { ...code, classPath: [...entries, ...needs] };
  const classPath = [...needs, ...entries];
  const build = classData(installation, sources, compiled);
  const data = await builds.find(build);
  if (data === undefined) return { ...code, classPath, lacking: build };
  return { ...code, classPath, options: usingClassData(data), needs: [data, ...needs] };
}

/** Options of a compiling JVM, which exits before the optimizing compiler pays off. */
const BUILD_OPTIONS = ['-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-XX:-UsePerfData'];

/**
 * Builds a jar of nREPL and our own code, compiled: compiling them would be most of an image's start. Not
 * used if the project has its own Clojure, which might not match.
 * @param sources folder of our own Clojure files
 */
export function compiling({ java, version, archives }: ClojureInstallation, sources: string): Build {
  // Class files are written to the working folder.
  const classPath = ['.', ...archives].join(path.delimiter);
  const build = path.join(sources, 'build.clj');
  return {
    title: 'Clojure',
    name: `clojure-${version}`,
    suffix: 'jar',
    runtime: [java.command, ...archives],
    command: java.command,
    args: (target) => [...BUILD_OPTIONS, '-cp', classPath, 'clojure.main', build, sources, target],
    env: {},
  };
}

/** Top-level names of Clojure, nREPL and our own code on a classpath. */
const NAMESPACES = ['clojure', 'nrepl', 'lisp_harbor'];

/** Reports whether a classpath contains archives; any of them may contain Clojure or nREPL. */
async function mayBringOtherCode(entries: readonly string[]): Promise<boolean> {
  const folders = await Promise.all(entries.map(isFolder));
  return folders.includes(false);
}

/** Reports whether a folder contains namespaces of Clojure, nREPL or our own code. */
async function hasSameNamespaces(folder: string): Promise<boolean> {
  const names = await readdir(folder).catch((): string[] => []);
  return names.some((name) => NAMESPACES.includes(name));
}

function isFolder(entry: string): Promise<boolean> {
  return stat(entry).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

/** Silences the JVM's messages about unusable class data. */
const SILENT = ['-Xlog:cds=off', '-Xlog:cds+dynamic=off'];

/**
 * Builds class data (CDS) of Clojure, nREPL and our own code, which later JVMs map into memory: it saves more
 * than half of a start. Works if the classpath begins with the same archives, and since Java 13. A JVM that
 * cannot use it reads the classes normally.
 * @param sources folder of our own Clojure files
 * @param compiled the jar of compiled code, which comes before the archives of the installation
 */
export function classData(
  { java, version, archives }: ClojureInstallation,
  sources: string,
  compiled: string,
): Build {
  const classPath = [compiled, ...archives].join(path.delimiter);
  const rehearsal = path.join(sources, 'rehearsal.clj');
  return {
    title: 'Clojure',
    name: `clojure-${version}`,
    suffix: 'jsa',
    runtime: [java.command, compiled, ...archives],
    command: java.command,
    args: (target) => [
      ...[...BUILD_OPTIONS, ...SILENT, `-XX:ArchiveClassesAtExit=${target}`, '-cp', classPath],
      ...['clojure.main', rehearsal, compiled],
    ],
    env: {},
  };
}

/** Options of a JVM that uses the class data. */
function usingClassData(file: string): string[] {
  return [`-XX:SharedArchiveFile=${file}`, ...SILENT];
}
