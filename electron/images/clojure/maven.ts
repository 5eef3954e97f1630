/**
 * Resolves libraries and their transitive dependencies in local Maven repositories, without downloading
 * anything. https://maven.apache.org/repositories/layout.html, https://maven.apache.org/pom.html#Dependencies
 */
import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { isWithin } from '../../sandbox/paths';
import { pathWithin, readWithin } from '../../sandbox/project-files';
import type { Coordinate } from './build-files';

export interface Resolved {
  /** Archives without duplicates, requested ones first. */
  archives: string[];
  missing: Coordinate[];
  /** Expected paths of the missing archives. */
  lookedFor: string[];
}

/**
 * If a library is requested in two versions, the one met first wins, which is the nearer one, as in Maven.
 */
export async function resolveLibraries(
  requested: readonly Coordinate[],
  repositories: readonly string[],
): Promise<Resolved> {
  const resolved: Resolved = { archives: [], missing: [], lookedFor: [] };
  const met = new Set<string>();
  let level = requested;
  while (level.length > 0) {
    const fresh = level.filter((each) => !met.has(nameOf(each)) && met.add(nameOf(each)));
    const found = await Promise.all(fresh.map((each) => lookUp(each, repositories)));
    for (const [index, each] of fresh.entries()) {
      const { archive = null, lookedFor = [] } = found[index] ?? {};
      if (archive === null) resolved.missing.push(each);
      else resolved.archives.push(archive);
      if (archive === null) resolved.lookedFor.push(...lookedFor);
    }
    level = found.flatMap(({ needs }) => needs);
  }
  return resolved;
}

export function libraryText(library: Coordinate): string {
  return `${nameOf(library)} ${library.version}`;
}

function nameOf({ group, artifact }: Coordinate): string {
  return group === artifact ? group : `${group}/${artifact}`;
}

/** Looks in the first repository that has the archive. */
async function lookUp(library: Coordinate, repositories: readonly string[]) {
  const lookedFor: string[] = [];
  let found = { archive: null as string | null, needs: [] as Coordinate[] };
  for (const repository of repositories) {
    if (found.archive !== null) break;
    const there = await lookUpIn(library, repository);
    if (there.place !== null) lookedFor.push(there.place);
    found = there;
  }
  return { ...found, lookedFor };
}

/** The Maven repository of Debian's packages. Its files are links to archives of the system. */
export const SYSTEM_REPOSITORY = '/usr/share/maven-repo';
/** Folders with Debian's archives. */
export const SYSTEM_ARCHIVES = [SYSTEM_REPOSITORY, '/usr/share/java'];

/** Names come from build files and fetched POM files, so paths must not lead out of the repository. */
async function lookUpIn({ group, artifact, version }: Coordinate, repository: string) {
  const folder = path.join(...group.split('.'), artifact, version);
  const file = path.join(folder, `${artifact}-${version}`);
  const isSystems = repository === SYSTEM_REPOSITORY;
  const place = isSystems ? await systemArchive(`${file}.jar`) : pathWithin(repository, `${file}.jar`);
  const pom = await readWithin(repository, `${file}.pom`).catch(() => null);
  return {
    place,
    archive: place !== null && (await isFile(place)) ? place : null,
    needs: dependenciesIn(pom?.toString() ?? '', version),
  };
}

async function systemArchive(file: string): Promise<string | null> {
  const real = await realpath(path.join(SYSTEM_REPOSITORY, file)).catch(() => null);
  return real !== null && SYSTEM_ARCHIVES.some((folder) => isWithin(real, folder, process.platform))
    ? real
    : null;
}

/** Returns runtime dependencies. Those whose version comes from a parent or a property are left out. */
function dependenciesIn(pom: string, ownVersion: string): Coordinate[] {
  return elements(without(pom, 'dependencyManagement'), 'dependency').flatMap((text) => {
    const [group, artifact, named, scope, optional] = [
      'groupId',
      'artifactId',
      'version',
      'scope',
      'optional',
    ].map((name) =>
      elements(text, name)
        .find((inside) => !inside.includes('<'))
        ?.trim(),
    );
    const version = named && OWN_VERSION.test(named) ? ownVersion : named;
    const runs = (scope === undefined || scope === 'compile' || scope === 'runtime') && optional !== 'true';
    return runs && group && artifact && version && !version.includes('$')
      ? [{ group, artifact, version }]
      : [];
  });
}

/** Stands for the library's own version, when one of its archives names another. */
const OWN_VERSION = /^\$\{project\.version\}$/;

/** Removes elements of that name. */
function without(text: string, name: string): string {
  const [before = '', ...parts] = text.split(`<${name}>`);
  return before + parts.map((part) => part.slice(Math.max(0, part.indexOf(`</${name}>`)))).join('');
}

/** Returns the contents of each element of that name. */
function elements(text: string, name: string): string[] {
  const [open, close] = [`<${name}>`, `</${name}>`];
  const found: string[] = [];
  for (let start = text.indexOf(open); start >= 0; start = text.indexOf(open, start)) {
    const end = text.indexOf(close, start);
    if (end < 0) break;
    found.push(text.slice(start + open.length, end));
    start = end;
  }
  return found;
}

async function isFile(file: string): Promise<boolean> {
  return (await stat(file).catch(() => null))?.isFile() ?? false;
}
