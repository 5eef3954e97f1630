/** What SBCL's collector says when it gives up is kept from what forms print, unless a form has printed it. */
import { expect, it } from 'vitest';
import { CollectorReport } from '../../electron/images/acl2/collector-report';

const REPORT =
  'Heap exhausted during garbage collection: 0 bytes available, 16 requested.\n Gen layout fdefn\n';

it.each([1, 7, 1_000])('a report is told no part of, in pieces of %i characters', (size) => {
  const report = new CollectorReport();
  const text = `He says: Hello\n${REPORT}fatal error\n`;
  const pieces = text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
  expect(pieces.map((piece) => report.told(piece)).join('')).toBe('He says: Hello\n');
});

it('what a form has printed is told when the next one begins', () => {
  const report = new CollectorReport();
  expect([report.told(`1\n${REPORT}`), report.told('2\n'), report.wentOn(), report.told('3\n')]).toEqual([
    ...['1\n', '', `${REPORT}2\n`, '3\n'],
  ]);
});
