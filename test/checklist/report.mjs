/**
 * `npm run checklist`: each row of the five compatible systems, and of what others have, with the test that covered it in the last `npm test`.
 * With `--totals` only a line for each system.
 */
import path from 'node:path';
import { readReports } from '../../resources/setup/test-results.mjs';
import { coverage, readSystems } from './coverage.mjs';

/** @typedef {import('./coverage.mjs').Line} Line */

const here = import.meta.dirname;
const totalsOnly = process.argv.includes('--totals');
const tests = readReports(path.join(here, '../../test-results'));
const marks = { covered: '✓', failing: '✗', untested: '–', measured: '–', open: ' ' };

/** @type {Line[]} */
const all = [];
for (const { system, rows } of readSystems(here)) {
  const lines = rows.map((row) => coverage(row, tests, here));
  all.push(...lines);
  if (!totalsOnly) print(`\n${system}\n${lines.map(shown).join('\n')}`);
  print(`${totalsOnly ? '' : '\n'}${total(system, lines)}`);
}
print(total('all systems', all));
if (tests.length === 0) print('No results of a test run found: run "npm test" first.');

/** @param {Line} line */
function shown({ row, state, by }) {
  return `${marks[state]} ${row.id.padEnd(6)} ${clip(row.promise, 76).padEnd(76)}  ${by}`;
}

/**
 * @param {string} name
 * @param {Line[]} lines
 */
function total(name, lines) {
  /** @param {Line['state'][]} states */
  const count = (...states) => lines.filter((line) => states.includes(line.state)).length;
  const without = count('untested', 'measured');
  const counts = `${count('covered')} covered, ${count('failing')} failing, ${count('open')} not yet`;
  return `${name.padEnd(16)} ${lines.length} rows: ${counts}, ${without} without a test of their own`;
}

/**
 * @param {string} text
 * @param {number} width
 */
function clip(text, width) {
  return text.length <= width ? text : `${text.slice(0, width - 1)}…`;
}

/** @param {string} text */
function print(text) {
  process.stdout.write(`${text}\n`);
}
