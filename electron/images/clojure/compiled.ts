/**
 * nREPL and our own code, compiled ahead: from source, most of an image's start would be spent on them. Where a project has its
 * own Clojure, what was compiled by another one need not fit, and an image compiles them while it starts.
 */
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Build } from '../agent/builds';
import type { ClojureInstallation } from './installation';

/** Options of a JVM that compiles: it ends before the slow compiler is worth its time. */
export const BUILD_OPTIONS = ['-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-XX:-UsePerfData'];

/** @param sources folder of our own Clojure files */
export function compiling({ java, version, archives }: ClojureInstallation, sources: string): Build {
  // What it compiles it writes into the folder where it runs.
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

/** What Clojure, nREPL and our own code have on a classpath. */
const NAMESPACES = ['clojure', 'nrepl', 'lisp_harbor'];

/** Whether a classpath has archives: any of them may hold a Clojure or an nREPL. */
export async function mayBringOtherCode(entries: readonly string[]): Promise<boolean> {
  const folders = await Promise.all(entries.map(isFolder));
  return folders.includes(false);
}

/** Whether a folder has namespaces, or a part of them, that Clojure, nREPL or our own code have as well. */
export async function hasSameNamespaces(folder: string): Promise<boolean> {
  const names = await readdir(folder).catch((): string[] => []);
  return names.some((name) => NAMESPACES.includes(name));
}

function isFolder(entry: string): Promise<boolean> {
  return stat(entry).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
