/** The tests that the sources of a project define. Nothing is loaded or evaluated. */
import { hash } from 'node:crypto';
import path from 'node:path';
import type { ProjectTests, SourceTest, TestedUnit } from '../../contract/tests';
import { filesBelow, readWithin } from '../../sandbox/project-files';
import { dialectOf, dialectOfFile } from '../../source/dialect';
import { isBook, systemsIn, testsIn } from '../../source/test-outline';
import { textOf } from '../../source/text';
import type { Session } from '../session/session';

/** Maximum number of visited entries, read files, and bytes of a file. */
const MOST_ENTRIES = 20_000;
const MOST_FILES = 2_000;
const MOST_BYTES = 1024 * 1024;

/** Folders with files of others, or made by tools. */
const OTHERS = /(?:^|\/)(?:\.[^/]*|node_modules|target|dist|out|build|vendor|quicklisp|ocicl)\//;

/** Returns what the session's engine can test in its project, in the order of names. */
export async function projectTests({ identity, loader }: Session): Promise<ProjectTests> {
  const dialect = dialectOf(identity.engine);
  const texts = new Map<string, string>();
  for await (const file of filesBelow(identity.project, MOST_ENTRIES)) {
    if (OTHERS.test(file) || dialectOfFile(file) !== dialect || texts.size === MOST_FILES) continue;
    const bytes = await readWithin(identity.project, file, MOST_BYTES).catch(() => null);
    const text = bytes && textOf(bytes)?.text;
    if (text) texts.set(file, text);
  }
  const units =
    loader.bookCode !== undefined ? books(texts) : dialect === 'clojure' ? namespaces(texts) : systems(texts);
  return { units, stamp: hash('sha256', JSON.stringify([...texts])) };
}

function books(texts: ReadonlyMap<string, string>): TestedUnit[] {
  return [...texts]
    .filter(([file, text]) => file.endsWith('.lisp') && isBook(text))
    .map(([file]) => ({ kind: 'book' as const, name: file.replace(/\.lisp$/, ''), path: file, tests: [] }))
    .sort(byName);
}

function namespaces(texts: ReadonlyMap<string, string>): TestedUnit[] {
  const units = new Map<string, TestedUnit>();
  for (const [file, text] of texts)
    for (const { home, name, ...test } of testsIn(text, 'clojure')) {
      const unit = units.get(home) ?? { kind: 'namespace', name: home, path: file, tests: [] };
      units.set(home, unit);
      unit.tests.push({ ...test, name: `${home}/${name}`, path: file });
    }
  return [...units.values()].sort(byName);
}

/** A test belongs to the system that lists its file, or else to that of the nearest `.asd` file above it. */
function systems(texts: ReadonlyMap<string, string>): TestedUnit[] {
  const units: TestedUnit[] = [];
  const owners = new Map<string, TestedUnit>();
  for (const [file, text] of texts) {
    if (!file.endsWith('.asd')) continue;
    for (const { name, files } of systemsIn(text)) {
      const unit: TestedUnit = { kind: 'system', name, path: file, tests: [] };
      units.push(unit);
      for (const each of files) owners.set(path.join(path.dirname(file), each), unit);
    }
  }
  for (const [file, text] of texts) {
    if (file.endsWith('.asd')) continue;
    const tests: SourceTest[] = testsIn(text, 'common-lisp').map(({ home, name, ...test }) => ({
      ...test,
      ...{ name: `${home}::${name}`, path: file },
    }));
    if (tests.length > 0) (owners.get(file) ?? nearest(file, units))?.tests.push(...tests);
  }
  return units.filter(({ tests }) => tests.length > 0).sort(byName);
}

/** Returns the system below whose folder the file is; of several, one that is called like tests. */
function nearest(file: string, units: readonly TestedUnit[]): TestedUnit | undefined {
  const folderOf = (unit: TestedUnit) => path.dirname(unit.path);
  const above = units.filter((unit) => folderOf(unit) === '.' || file.startsWith(`${folderOf(unit)}/`));
  const deepest = Math.max(...above.map((unit) => folderOf(unit).length));
  const there = above.filter((unit) => folderOf(unit).length === deepest);
  return there.find(({ name }) => name.includes('test')) ?? there[0];
}

function byName({ name }: TestedUnit, other: TestedUnit): number {
  return name < other.name ? -1 : 1;
}
