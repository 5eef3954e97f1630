/** Tables that are asked by words from outside: an object has words of its own, such as `constructor`, a map has not. */
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from '../started-harbor';

/** A constant of a module whose keys may be any text. */
const TABLE = /^(export )?const (\w+): (?:Readonly<)?Record<string,/gm;

it('are maps, or asked only for what is their own', () => {
  const sources = globSync('electron/**/*.ts', { cwd: ROOT }).map((file) => ({
    file,
    text: readFileSync(path.join(ROOT, file), 'utf8'),
  }));
  const tables = sources.flatMap(({ file, text }) =>
    [...text.matchAll(TABLE)].map(([, exported, name = '']) => ({ file, exported, name })),
  );
  expect(tables.length).toBeGreaterThan(2);
  const asked = tables.flatMap(({ file, exported, name }) =>
    sources
      .filter((source) => exported !== undefined || source.file === file)
      .filter(({ text }) => new RegExp(`\\b${name}\\[| in ${name}\\b`).test(text))
      .filter(({ text }) => !text.includes(`Object.hasOwn(${name}, `))
      .map((source) => `${source.file}: ${name}`),
  );
  expect(asked).toEqual([]);
});
