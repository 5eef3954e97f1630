/** The history of the REPL editor (Up and Down). */
import { expect, it } from 'vitest';
import { AT_DRAFT, distinct, HistoryWalk, newer, older, withCleared } from './form-history';

const FORMS = ['(defun f ()\n  2)', '(+ 1 1)'];

it('goes back by whole forms, and forward to the draft', () => {
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

it('contains each form once', () => {
  expect(distinct(['(a)', ' (b)', '(a) ', ''])).toEqual(['(a)', '(b)']);
});

it('puts cleared text above the form that was the newest at that time', () => {
  const cleared = [
    { text: '(first)', below: '(a)' },
    { text: '(second)', below: '(a)' },
    { text: '(on nothing)', below: null },
  ];
  expect(withCleared(['(b)', '(a)'], cleared)).toEqual(['(b)', '(second)', '(first)', '(a)', '(on nothing)']);
  expect(withCleared([], cleared)).toEqual(['(on nothing)', '(second)', '(first)']);
});

it('restores cleared text, and starts at the newest entry again', () => {
  const forms = ['(b)', '(a)'];
  const walk = new HistoryWalk('sbcl-1', () => forms);
  expect([walk.older('(half'), walk.older('(b)')]).toEqual(['(b)', '(a)']);
  walk.clear('(a)');
  // The draft is saved; the recalled form is in the history anyway.
  expect([walk.older(''), walk.older('(half'), walk.older('(b)')]).toEqual(['(half', '(b)', '(a)']);
  walk.clear('(a) (edited)');
  forms.unshift('(c)');
  expect([walk.older(''), walk.older('(c)'), walk.older('')]).toEqual(['(c)', '(a) (edited)', '(half']);
});
