/** The form that runs is found in its text by how the compiler prints and numbers it; where two could be meant, none is. */
import { describe, expect, it } from 'vitest';
import { findRunningForm } from '../../electron/source/running-form';

const DIST = `(defun dist (p q)
  (let ((dx (- (car p) (car q)))
        (dy (- (cdr p) (cdr q))))
    (sqrt (+ (* dx dx) (* dy dy)))))`;

function found(text: string, form: string, number?: number): string | null {
  const extent = findRunningForm(text, form, number);
  return extent && text.slice(extent.start, extent.end);
}

describe('the form that runs', () => {
  it('is the only one of its operator and length', () => {
    expect(found(DIST, '(SQRT (+ (* DX DX) (* DY DY)))')).toBe('(sqrt (+ (* dx dx) (* dy dy)))');
    expect(found(DIST, '(CL:SQRT X)')).toBe('(sqrt (+ (* dx dx) (* dy dy)))');
  });

  it('is told by its number among those that look alike, however the compiler counts', () => {
    expect(found(DIST, '(CAR P)', 6)).toBe('(car p)');
    expect(found(DIST, '(- (CDR P) (CDR Q))', 10)).toBe('(- (cdr p) (cdr q))');
    expect(found(DIST, '(- (CDR P) (CDR Q))', 9)).toBe('(- (cdr p) (cdr q))');
    expect(found(`(progn 1 ${DIST})`, '(- (CDR P) (CDR Q))', 10)).toBe('(- (cdr p) (cdr q))');
  });

  it('is not looked for in constants, which count as one list', () => {
    const text = "(defun f (x) (list '(car x) '((1) (2)) (car x) (car y)))";
    expect(found(text, '(CAR X)', 5)).toBe('(car x)');
    expect(findRunningForm(text, '(CAR X)', 5)?.start).toBe(text.indexOf('(car x) (car y)'));
  });

  it('is none where it could be another, or is not there', () => {
    expect(found(DIST, '(CAR P)')).toBeNull();
    expect(found(DIST, '(CAR P)', 40)).toBeNull();
    expect(found(DIST, '(CONS P)')).toBeNull();
    expect(found(DIST, 'P', 3)).toBeNull();
    expect(found('(defun broken (', '(CAR P)', 3)).toBeNull();
  });
});
