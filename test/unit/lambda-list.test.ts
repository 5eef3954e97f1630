/** The parameter of a lambda list that takes an argument. */
import { expect, it } from 'vitest';
import { parameterAt, parametersOf } from '../../electron/source/lambda-list';

it.each([
  ['(a b)', { argument: 1 }, 'b'],
  ['(a b)', { argument: 5 }, 'b'],
  ['(a &optional (b 1))', { argument: 1 }, '(b 1)'],
  ['(a &rest more)', { argument: 7 }, 'more'],
  ['(a &key days (from 0))', { argument: 1 }, 'days'],
  ['(a &key days (from 0))', { argument: 2, keyword: ':from' }, '(from 0)'],
  ['(A &KEY ((:DAYS D) 7) FROM)', { argument: 2, keyword: ':days' }, '((:DAYS D) 7)'],
  ['(a &key days)', { argument: 2, keyword: ':unknown' }, 'days'],
])('of %s, the argument %o is for %s', (list, place, parameter) => {
  const parameters = parametersOf(list, 'common-lisp');
  expect(parameters[parameterAt(parameters, place)]).toBe(parameter);
});
