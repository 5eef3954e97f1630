/** Forms that compilers print in their messages, found in the text. */
import { expect, it } from 'vitest';
import { printedForm } from '../../electron/source/printed-form';
import { read } from '../../electron/source/reader';

const TEXT = `(defun range (station)
  (let ((unused 1))
    (- (high station 2)
       (low
        station))))
(defun other () (high station 2))`;

function found(printed: string, from?: number): string | null {
  const node = printedForm(read(TEXT, 'common-lisp'), printed, from);
  return node && `${node.start} ${TEXT.slice(node.start, node.end)}`;
}

it('a printed form is found by its parts, whatever its case, blanks and packages', () => {
  expect(found('(UNUSED 1)')).toBe(`${TEXT.indexOf('(unused')} (unused 1)`);
  expect(found('(TIDE::LOW STATION)')).toContain('(low');
  expect(found('(HIGH STATION 2)')).toBe(`${TEXT.indexOf('(high')} (high station 2)`);
  expect(found('(HIGH STATION 2)', TEXT.indexOf('(defun other'))).toBe(
    `${TEXT.lastIndexOf('(high')} (high station 2)`,
  );
  expect(found('(LET ((UNUSED 1)) ...)')).toContain('(let');
  expect(found('(MISSING)')).toBeNull();
});
