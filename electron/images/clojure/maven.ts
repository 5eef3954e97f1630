/**
 * Archives in the local Maven repository, with those that they need in turn, as far as they are there: nothing is fetched.
 * https://maven.apache.org/repositories/layout.html, https://maven.apache.org/pom.html#Dependencies
 */
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { placeWithin, readWithin } from '../../sandbox/file-within';
import type { Coordinate } from './build-files';

export interface Resolved {
  /** Archives, each once, those that were asked for first. */
  archives: string[];
  missing: Coordinate[];
  /** Where the archives of those would be. */
  lookedFor: string[];
}

/** Of a library that is asked for in two versions the one met first is taken, which is the nearer one, as Maven does. */
export async function resolveLibraries(
  asked: readonly Coordinate[],
  repositories: readonly string[],
): Promise<Resolved> {
  const resolved: Resolved = { archives: [], missing: [], lookedFor: [] };
  const met = new Set<string>();
  let level = asked;
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

/** In the first repository that has its archive. */
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

/** Names come from build files, and archives' own files from wherever they were fetched: nothing leads out of the repository. */
async function lookUpIn({ group, artifact, version }: Coordinate, repository: string) {
  const folder = path.join(...group.split('.'), artifact, version);
  const place = placeWithin(repository, path.join(folder, `${artifact}-${version}.jar`));
  const pom = await readWithin(repository, path.join(folder, `${artifact}-${version}.pom`)).catch(() => null);
  return {
    place,
    archive: place !== null && (await isFile(place)) ? place : null,
    needs: dependenciesIn(pom?.toString() ?? '', version),
  };
}

/** Those that a program needs when it runs. One whose version is said elsewhere, in a parent or a property, is left out. */
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

/** A version that stands for the library's own: so one of its archives names another. */
const OWN_VERSION = /^\$\{project\.version\}$/;

/** The text without what stands in elements of that name. */
function without(text: string, name: string): string {
  const [before = '', ...parts] = text.split(`<${name}>`);
  return before + parts.map((part) => part.slice(Math.max(0, part.indexOf(`</${name}>`)))).join('');
}

/** What stands in each element of that name. */
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
