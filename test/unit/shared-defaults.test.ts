/** Defaults that a whole harbor shares: what one session put into them, all later ones would have. */
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from '../started-harbor';

/** A constant of a module that holds something empty, which is there to be filled unless it says that it is not. */
const EMPTY =
  /^(?:export )?const \w+(?:: [^=\n]+)? = (?:\{[^\n]*[ :])?(?:\[\]|\{\}|new (?:Map|Set)(?:<[^\n]*>)?\(\))[^\n]*$/gm;
const FIXED = /as const|Object\.freeze/;

it('are never empty collections that can be filled', () => {
  const sources = globSync('electron/**/*.ts', { cwd: ROOT });
  expect(sources.length).toBeGreaterThan(100);
  const fillable = sources.flatMap((file) =>
    (readFileSync(path.join(ROOT, file), 'utf8').match(EMPTY) ?? [])
      .filter((line) => !FIXED.test(line))
      .map((line) => `${file}: ${line}`),
  );
  expect(fillable).toEqual([]);
});
