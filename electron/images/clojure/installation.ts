/** Finds Java, and the archives of Clojure and nREPL as packaged by Debian or Maven. */
import { readdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import { findJava, INSTALL_JAVA, type Java } from '../java';

/** Debian's folder of Java archives. */
const DEBIAN = '/usr/share/java';

/** An archive by its Maven coordinates and its Debian name. */
interface Archive {
  name: string;
  group: string;
}

const ARCHIVES: readonly Archive[] = [
  { name: 'clojure', group: 'org/clojure' },
  { name: 'spec.alpha', group: 'org/clojure' },
  { name: 'core.specs.alpha', group: 'org/clojure' },
  { name: 'nrepl', group: 'nrepl' },
];

export interface ClojureInstallation {
  java: Java;
  /** Clojure's version. */
  version: string;
  /** Real paths of the archives, Clojure's first. */
  archives: string[];
}

export interface SearchOptions {
  /** Folders to search for programs, as in PATH. */
  searchPath: string;
  /** The user's home folder; its `.m2/repository` is searched. */
  home: string;
}

/** @throws Error with a sentence on what is missing and how to get it */
export async function findClojure({ searchPath, home }: SearchOptions): Promise<ClojureInstallation> {
  const java = await findJava(searchPath);
  if (!java) throw new Error(`Clojure needs Java 8 or later. ${INSTALL_JAVA}`);
  const found = await Promise.all(ARCHIVES.map((archive) => archiveOf(archive, home)));
  const missing = ARCHIVES.filter((_, index) => found[index] === undefined).map(({ name }) => `${name}.jar`);
  if (missing.length > 0)
    throw new Error(
      `Clojure was not found: ${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} neither in ${DEBIAN} nor in ~/.m2/repository. Install it with: apt install clojure libnrepl-clojure`,
    );
  const archives = found.filter((file) => file !== undefined);
  return { java, version: versionIn(archives[0] ?? ''), archives };
}

async function archiveOf({ name, group }: Archive, home: string): Promise<string | undefined> {
  const debian = await realpath(path.join(DEBIAN, `${name}.jar`)).catch(() => undefined);
  if (debian !== undefined) return debian;
  const folder = path.join(home, '.m2/repository', group, name);
  const versions = (await readdir(folder).catch(() => [])).sort(newestFirst);
  const files = versions.map((version) =>
    realpath(path.join(folder, version, `${name}-${version}.jar`)).catch(() => undefined),
  );
  return (await Promise.all(files)).find((file) => file !== undefined);
}

function newestFirst(one: string, other: string): number {
  return other.localeCompare(one, 'en', { numeric: true });
}

function versionIn(file: string): string {
  return /-(\d[\w.-]*)\.jar$/.exec(path.basename(file))?.[1] ?? 'unknown';
}
