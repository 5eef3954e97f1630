/** Which views a value has. */
import { expect, it } from 'vitest';
import { viewsOf } from './views-of';

const looked = {
  inspection: { kind: 'list', type: 'CONS', facts: [], total: 3 },
  records: null,
  numbers: null,
  isPinned: false,
};
const records = (...columns: string[]) => ({ columns, rows: [], total: 3 });
const numbers = (total: number, others = 0) => ({ total, step: 1, others, low: [], high: [] });

it('records are a table at once, lists of lists when it is asked for', () => {
  expect(viewsOf({ ...looked, records: records(':NAME', ':AGE') })[0]).toBe('table');
  expect(viewsOf({ ...looked, records: records('0', '1') })).toEqual(['parts', 'tree', 'table', 'printed']);
  expect(viewsOf({ ...looked, records: records() })).toEqual(['parts', 'tree', 'printed']);
});

it('many numbers are drawn at once, octets are octets first', () => {
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

it('atoms are printed, classes drawn, documentation offered, what is pinned compared', () => {
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
