/** What starts anew for each client and each command reads few files: whoever waits for it waits for all that it loads. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync } from 'vite';
import { expect, it } from 'vitest';
import { ROOT } from './setup-checkout';

const ENTRIES = ['electron/main.ts', 'electron/stdio.ts', 'electron/command-line.ts'];

it.each(ENTRIES)('%s loads nothing but Node, Electron and files of ours', (entry) => {
  const seen = new Set<string>();
  const modules = modulesOf(entry, seen).filter((name) => !name.startsWith('node:') && name !== 'electron');
  expect(seen.size).toBeGreaterThan(5);
  expect([...new Set(modules)]).toEqual([]);
});

/** The modules that a file imports at its start, and those that its imports do. @param seen the files that were read */
function modulesOf(file: string, seen: Set<string>): string[] {
  if (seen.has(file)) return [];
  seen.add(file);
  return valuesImported(file).flatMap((name) => {
    if (!name.startsWith('.')) return name;
    const target = path.join(path.dirname(file), name);
    const source = [`${target}.ts`, `${target}/index.ts`, target].find((each) =>
      existsSync(path.join(ROOT, each)),
    );
    if (source === undefined) throw new Error(`${file} imports ${name}, which is not there.`);
    return modulesOf(source, seen);
  });
}

/** Without the types, of which nothing is left when it runs. */
function valuesImported(file: string): string[] {
  const { staticImports, staticExports } = parseSync(
    file,
    readFileSync(path.join(ROOT, file), 'utf8'),
  ).module;
  const imported = staticImports
    .filter(({ entries }) => entries.length === 0 || entries.some(({ isType }) => !isType))
    .map(({ moduleRequest }) => moduleRequest.value);
  const handedOn = staticExports.flatMap(({ entries }) =>
    entries.flatMap(({ moduleRequest, isType }) => (moduleRequest && !isType ? moduleRequest.value : [])),
  );
  return [...imported, ...handedOn];
}
