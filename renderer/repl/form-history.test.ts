/** Up and Down in the editor of the REPL. */
import { expect, it } from 'vitest';
import { AT_DRAFT, distinct, newer, older, withCleared } from './form-history';
import { FormWalk } from './form-walk';

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

it('has what was cleared above the form that was the newest then', () => {
  const cleared = [
    { text: '(first)', below: '(a)' },
    { text: '(second)', below: '(a)' },
    { text: '(on nothing)', below: null },
  ];
  expect(withCleared(['(b)', '(a)'], cleared)).toEqual(['(b)', '(second)', '(first)', '(a)', '(on nothing)']);
  expect(withCleared([], cleared)).toEqual(['(on nothing)', '(second)', '(first)']);
});

it('gives back what was cleared, and begins at the newest again', () => {
  const forms = ['(b)', '(a)'];
  const walk = new FormWalk('sbcl-1', () => forms);
  expect([walk.older('(half'), walk.older('(b)')]).toEqual(['(b)', '(a)']);
  walk.clear('(a)');
  // What was being written is kept; the form that was looked at is there anyway.
  expect([walk.older(''), walk.older('(half'), walk.older('(b)')]).toEqual(['(half', '(b)', '(a)']);
  walk.clear('(a) (edited)');
  forms.unshift('(c)');
  expect([walk.older(''), walk.older('(c)'), walk.older('')]).toEqual(['(c)', '(a) (edited)', '(half']);
});
