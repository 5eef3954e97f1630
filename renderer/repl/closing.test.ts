/** Where the editor closes what is opened. */
import { describe, expect, it } from 'vitest';
import { closesAfter } from './closing';

describe('closing of brackets and quotes', () => {
  it.each(['', '(list ', '"a" ', '"said: ', '#\\a ', '#\\\\', '#| done |# ', '|a b| ', '; a note'])(
    'is done in Common Lisp after %j',
    (text) => {
      expect(closesAfter(text, 'common-lisp')).toBe(true);
    },
  );

  it.each(['#\\', '(char= c #\\', '\\', 'a\\', '"a \\', '#| what ', '#| #| |# ', '(f #|', '|a '])(
    'is not done in Common Lisp after %j',
    (text) => {
      expect(closesAfter(text, 'common-lisp')).toBe(false);
    },
  );

  it.each(['', '[1 ', '\\a ', '\\\\', '#_', '"a \\\\'])('is done in Clojure after %j', (text) => {
    expect(closesAfter(text, 'clojure')).toBe(true);
  });

  it.each(['\\', '(= c \\', '"a \\'])('is not done in Clojure after %j', (text) => {
    expect(closesAfter(text, 'clojure')).toBe(false);
  });
});
