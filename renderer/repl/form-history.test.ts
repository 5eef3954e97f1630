/** Up and Down in the editor of the REPL. */
import { expect, it } from 'vitest';
import { AT_DRAFT, distinct, newer, older } from './form-history';

const FORMS = ['(defun f ()\n  2)', '(+ 1 1)'];

it('walks back by whole forms, and forward to what was being written', () => {
  const [first, text] = older(FORMS, AT_DRAFT, '(half') ?? [];
  expect(text).toBe(FORMS[0]);
  const [second, oldest] = older(FORMS, first ?? AT_DRAFT, text ?? '') ?? [];
  expect(oldest).toBe(FORMS[1]);
  expect(older(FORMS, second ?? AT_DRAFT, '')).toBeNull();
  const [back, again] = newer(FORMS, second ?? AT_DRAFT) ?? [];
  expect(again).toBe(FORMS[0]);
  expect(newer(FORMS, back ?? AT_DRAFT)).toEqual([AT_DRAFT, '(half']);
  expect(newer(FORMS, AT_DRAFT)).toBeNull();
});

it('has each form once', () => {
  expect(distinct(['(a)', ' (b)', '(a) ', ''])).toEqual(['(a)', '(b)']);
});
