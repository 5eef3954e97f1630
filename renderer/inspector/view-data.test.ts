/** Views of a value. */

import { expect, it } from 'vitest';
import { wordsOf } from '../../electron/words/words';
import { differences, octetLines, viewsOf } from './view-data';

const looked = {
  inspection: { kind: 'list', type: 'CONS', facts: [], total: 3 },
  records: null,
  numbers: null,
  isPinned: false,
};
const records = (...columns: string[]) => ({ columns, rows: [], total: 3 });
const numbers = (total: number, others = 0) => ({ total, step: 1, others, low: [], high: [] });

it('records are shown as a table, lists of lists only on request', () => {
  expect(viewsOf({ ...looked, records: records(':NAME', ':AGE') })[0]).toBe('table');
  expect(viewsOf({ ...looked, records: records('0', '1') })).toEqual(['parts', 'tree', 'table', 'printed']);
  expect(viewsOf({ ...looked, records: records() })).toEqual(['parts', 'tree', 'printed']);
});

it('many numbers are drawn, octets are shown as octets', () => {
  expect(viewsOf({ ...looked, numbers: numbers(100) })[0]).toBe('chart');
  expect(viewsOf({ ...looked, numbers: numbers(3) })).toEqual(['parts', 'tree', 'chart', 'printed']);
  expect(viewsOf({ ...looked, numbers: numbers(100, 1) })).not.toContain('chart');
  const facts = [{ name: 'element type', text: '(UNSIGNED-BYTE 8)' }];
  const inspection = { ...looked.inspection, kind: 'vector', facts };
  expect(viewsOf({ ...looked, inspection, numbers: numbers(100) })).toEqual([
    'bytes',
    'parts',
    'tree',
    'chart',
    'printed',
  ]);
});

it('atoms are printed, classes drawn, documentation offered, pinned values compared', () => {
  const inspection = { kind: 'integer', type: 'FIXNUM', facts: [], total: 0 };
  expect(viewsOf({ ...looked, inspection })).toEqual(['printed']);
  const facts = [{ name: 'documentation', text: 'A buoy.' }];
  expect(viewsOf({ ...looked, inspection: { ...inspection, kind: 'class', facts } })).toEqual([
    'classes',
    'printed',
    'documentation',
  ]);
  expect(viewsOf({ ...looked, isPinned: true })[0]).toBe('difference');
});

// Differences between two values.

const part = (name: string, text?: string) => ({
  index: 0,
  name,
  ...(text === undefined ? { unbound: true } : { text }),
});

it('parts are compared by name; equal ones are counted', () => {
  const one = [part('X', '1'), part('Y', '2'), part('GONE', '3'), part('Z')];
  const other = [part('X', '1'), part('Y', '4'), part('Z', '0'), part('NEW', '5')];
  expect(differences(one, other, wordsOf('en'))).toEqual({
    alike: 1,
    differing: [
      { name: 'Y', one: '2', other: '4' },
      { name: 'GONE', one: '3', other: null },
      { name: 'Z', one: 'unbound', other: '0' },
      { name: 'NEW', one: null, other: '5' },
    ],
  });
});

// Octets in hexadecimal and as characters.

it('shows sixteen octets a line, and a dot for an unprintable one', () => {
  const text = Buffer.from('Lisp harbor\n\u0000at noon').toString('hex');
  expect(octetLines(text)).toEqual([
    { digits: '4c 69 73 70 20 68 61 72 62 6f 72 0a 00 61 74 20', characters: 'Lisp harbor··at ' },
    { digits: '6e 6f 6f 6e', characters: 'noon' },
  ]);
  expect(octetLines('')).toEqual([]);
});
