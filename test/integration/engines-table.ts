/** The table of engines in docs/engines.md, and what an image really offers: the two are compared by tests. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Image } from '../../electron/images/image';
import { ROOT } from '../started-harbor';

/** Columns of the table whose cells say only whether the engine has something. */
const COLUMNS = {
  '`describe`, `find`': 'knowledge',
  '`load`, `run_tests`': 'loader',
  '`debug`': 'debugger',
  '`inspect`': 'inspector',
} as const satisfies Record<string, keyof Image>;

export type Offers = Record<(typeof COLUMNS)[keyof typeof COLUMNS], boolean>;

/** What the row of `engine` promises: a dash is no, everything else is yes. */
export function promised(engine: string): Offers {
  const rows = readFileSync(path.join(ROOT, 'docs/engines.md'), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) => line.split('|').map((cell) => cell.trim()));
  // Another table has the profiles, and one of those the name of an engine.
  const [header = [], ...engines] = rows.slice(rows.findIndex((row) => row[1] === 'engine'));
  const row = engines.find((cells) => cells[1] === `\`${engine}\``);
  if (!row) throw new Error(`docs/engines.md has no row for ${engine}`);
  return offers((group, column) => {
    const cell = row[header.indexOf(column)];
    if (cell === undefined) throw new Error(`docs/engines.md has no column ${column} for ${group}`);
    return cell !== '–';
  });
}

export function offered(image: Image): Offers {
  return offers((group) => image[group] !== undefined);
}

function offers(has: (group: keyof Offers, column: string) => boolean): Offers {
  const entries = Object.entries(COLUMNS).map(([column, group]) => [group, has(group, column)]);
  return Object.fromEntries(entries) as Offers;
}
