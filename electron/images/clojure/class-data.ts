/**
 * What a JVM makes of the classes of Clojure, nREPL and our own code, kept so that the next ones map it into their memory: more
 * than half of an image's start. No image waits for it, and a JVM that cannot use it reads the classes as ever.
 */
import path from 'node:path';
import type { Build } from '../agent/builds';
import { BUILD_OPTIONS } from './compiled';
import type { ClojureInstallation } from './installation';

/** What the JVM would say of class data that it does not use, among what an image prints. */
const SILENT = ['-Xlog:cds=off', '-Xlog:cds+dynamic=off'];

/**
 * It is of use where the class path begins with the same archives. Before Java 13 there is none.
 * @param sources folder of our own Clojure files
 * @param compiled the archive of compiled code, which stands before those of the installation
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

/** Options of a JVM that is to use it. */
export function usingClassData(file: string): string[] {
  return [`-XX:SharedArchiveFile=${file}`, ...SILENT];
}
