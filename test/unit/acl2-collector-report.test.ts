/** What SBCL's collector says when it gives up is kept from what forms print, unless a form has printed it. */
import { expect, it } from 'vitest';
import { CollectorReport } from '../../electron/images/acl2/conversation';

const REPORT =
  'Heap exhausted during garbage collection: 0 bytes available, 16 requested.\n Gen layout fdefn\n';

it.each([1, 7, 1_000])('a report is told no part of, in pieces of %i characters', (size) => {
  const report = new CollectorReport();
  const text = `He says: Hello\n${REPORT}fatal error\n`;
  const pieces = text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
  expect(pieces.map((piece) => report.filter(piece)).join('')).toBe('He says: Hello\n');
});

it('what a form has printed is told when the next one begins', () => {
  const report = new CollectorReport();
  expect([report.filter(`1\n${REPORT}`), report.filter('2\n'), report.flush(), report.filter('3\n')]).toEqual(
    [...['1\n', '', `${REPORT}2\n`, '3\n']],
  );
});

it('of an object that was too large it is told no more of, when the process has gone on', () => {
  const report = new CollectorReport();
  const table = [
    'Heap exhausted during allocation: 342360064 bytes available, 1000000016 requested.',
    '        Immobile Object Counts',
    ' Gen layout fdefn symbol   code',
    '  0      3    100     12     33',
    'Tot    752  31179  29268  33855 [33.6% of 536870912 max]',
    'GC control variables:',
    '   *GC-INHIBIT* = false',
    '   *GC-PENDING* = true',
    '   *STOP-FOR-GC-PENDING* = false',
    '',
  ].join('\n');
  expect([report.filter(`1\n${table}2\n${table}3\n`), report.flush()]).toEqual(['1\n', '2\n3\n']);
  expect([report.filter(`${table.replace('Tot', 'He says: Hello\nTot')}4\n`), report.flush()]).toEqual([
    ...['', `${table.replace('Tot', 'He says: Hello\nTot')}4\n`],
  ]);
});
