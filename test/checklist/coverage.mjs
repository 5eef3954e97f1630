/** Which row of the checklist which test covers: a pure decision over the rows and the last run's tests. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/**
 * @typedef {import('../../resources/setup/test-results.mjs').Test} Test
 * @typedef {{ id: string, promise: string, check: string, untested?: string, measured?: boolean }} Row
 *   `untested` says why a row needs no test; `measured` that `npm run bench` shows it, under its id
 * @typedef {{ system: string, rows: Row[] }} System
 * @typedef {'covered' | 'failing' | 'untested' | 'measured' | 'open'} State
 * @typedef {{ row: Row, state: State, by: string }} Line `by` names the test, or says what is there instead
 */

/**
 * The five systems, and what others have, in the order of their files.
 * @param {string} folder
 * @returns {System[]}
 */
export function readSystems(folder) {
  const files = readdirSync(folder).filter((name) => /^s\d.*\.json$/.test(name));
  return files.sort().map((name) => JSON.parse(readFileSync(path.join(folder, name), 'utf8')));
}

/**
 * A row counts when a test that carries its id as a word passed, in a file below `folder`: those speak to a started harbor
 * through an endpoint. One that failed beside it takes the row back.
 * @param {Row} row
 * @param {Test[]} tests
 * @param {string} folder
 * @returns {Line}
 */
export function coverage(row, tests, folder) {
  const named = tests.filter((test) => isBelow(test.file, folder) && carries(test.title, row.id));
  const failed = named.find((test) => test.outcome === 'failed');
  if (failed !== undefined) return { row, state: 'failing', by: `failed: ${failed.title}` };
  const passed = named.find((test) => test.outcome === 'passed');
  if (passed !== undefined) {
    return { row, state: 'covered', by: `${path.relative(folder, passed.file)}: ${passed.title}` };
  }
  if (row.untested !== undefined) return { row, state: 'untested', by: `no test needed: ${row.untested}` };
  if (row.measured === true) return { row, state: 'measured', by: 'measured by npm run bench' };
  return { row, state: 'open', by: 'not yet' };
}

/**
 * S3-1 is not in "S3-12 …", nor in "XS3-1".
 * @param {string} title
 * @param {string} id
 */
const carries = (title, id) => title.split(/[^A-Za-z0-9-]+/).includes(id);

/**
 * @param {string} file
 * @param {string} folder
 */
const isBelow = (file, folder) => path.resolve(file).startsWith(path.resolve(folder) + path.sep);
