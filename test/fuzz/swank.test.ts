/** What a Swank server says, from its s-expressions to what is shown of them. */
import { expect } from 'vitest';
import { serverFacts } from '../../electron/images/swank/handshake';

import { contentOf } from '../../electron/images/swank/inspector';
import {
  definitionsOf,
  describedSymbol,
  findingsOf,
  locationOf,
} from '../../electron/images/swank/knowledge';
import type { SwankQueries } from '../../electron/images/swank/queries';
import { elementsOf, parsedSexp, printSexp, type Sexp, textOf } from '../../electron/images/swank/sexp';
import { eventOf } from '../../electron/images/swank/swank-events';
import { fuzzText } from './parser';
import { recorded } from './recorded';

const MESSAGES = {
  seeds: recorded('swank-messages'),
  tokens: [
    ...[
      '(',
      ')',
      ' . ',
      "'",
      '"',
      '\\',
      '|',
      '#\\a',
      '#c(1 2)',
      '#.',
      '#1=',
      ':a',
      'nil',
      '1',
      '.5',
      ';',
      '#|',
      '|#',
    ],
    ...[
      '(:return (:ok ',
      '(:debug 1 1 ("a" "',
      '[Condition of type ',
      '(:write-string "',
      'constructor',
      ' = ',
      ': ',
    ],
  ],
  refuses: (error: unknown) => error instanceof SyntaxError,
};

fuzzText({
  ...MESSAGES,
  name: 'an s-expression of Swank',
  slow: [{ before: '', again: '1', after: 'x' }],
  broke: ['(1e999 99999999999999999999)'],
  read: parsedSexp,
  holds: (value) => {
    const written = printSexp(value);
    expect(printSexp(parsedSexp(written))).toBe(written);
  },
});

fuzzText({
  ...MESSAGES,
  name: 'a message of Swank',
  slow: [{ before: '(:debug 1 1 ("a" "', again: '[Condition of type ', after: '") nil nil nil)' }],
  broke: ['(constructor 1 2)'],
  read: (text) => eventOf(parsedSexp(text)),
  refuses: (error) => error instanceof SyntaxError || (error instanceof Error && error.constructor === Error),
  holds: (event) => {
    // What the client answers without being asked, in the server's own syntax.
    if (event.event === 'asked') expect(() => parsedSexp(printSexp(event.answer))).not.toThrow();
    if (event.event === 'debug')
      for (const each of event.debug.restarts) expect(each.name).toBeTypeOf('string');
  },
});

fuzzText({
  ...MESSAGES,
  name: 'what Swank’s inspector shows',
  slow: [
    { before: '(:return (:ok (("', again: ' ', after: 'x" (:value "v" 1)))) 1)' },
    { before: '(:return (:ok ("a:', again: ' ', after: '\u2028x")) 1)' },
  ],
  seeds: MESSAGES.seeds.filter((text) => text.includes(':value "')),
  read: (text) => {
    const [, answer] = elementsOf(parsedSexp(text));
    const [, inspected] = elementsOf(answer);
    const items = elementsOf(inspected).flatMap((each) => elementsOf(each));
    return [...contentOf(items).parts, ...contentOf(elementsOf(inspected)).facts];
  },
  holds: (shown) => {
    for (const { name, text } of shown) expect([typeof name, typeof text]).toEqual(['string', 'string']);
  },
});

fuzzText({
  ...MESSAGES,
  name: 'definitions and places that Swank finds',
  slow: [{ before: '(("(', again: ':def', after: '" nil))' }],
  seeds: [
    '(("(DEFUN FILED)" (:location (:file "shop.lisp") (:position 12) (:snippet "(defun filed (x)"))) ("FILED" (:error "no")))',
    '(("(DEFMETHOD SHAPE (T))" (:location (:buffer-and-file "b" "f") (:offset 1 2) nil)) ("X" (:location (:source-form "(x)") (:line 3) nil)))',
    '("*FILED*" "COMMON-LISP-USER" :internal (:variable "A number." :setf :not-documented) "text")',
  ],
  tokens: [...MESSAGES.tokens, ':def', 'DEFUN ', '(:location ', 'setf', ':internal'],
  read: async (text) => {
    const found = elementsOf(parsedSexp(text));
    const findings = await findingsOf(found, 10, ANSWERS);
    const definitions = await definitionsOf(found, textOf(found[0]), found, ANSWERS);
    return [...findings.results, ...definitions, describedSymbol(found), ...found.map(locationOf)];
  },
  holds: (found) => {
    for (const each of found)
      for (const value of Object.values(each)) expect(value).not.toBeTypeOf('function');
  },
});

fuzzText({
  ...MESSAGES,
  name: 'what a Swank server says of itself',
  seeds: [
    '(:pid 443 :style :spawn :encoding (:coding-systems ("utf-8-unix")) :lisp-implementation (:type "SBCL" :name "sbcl" :version "2.2.9.debian" :program nil) :package (:name "COMMON-LISP-USER" :prompt "CL-USER") :version "2.28")',
  ],
  read: (text) => serverFacts(parsedSexp(text)),
  refuses: (error) => error instanceof Error && !(error instanceof TypeError),
});

/** A server that answers every question with the same. */
const ANSWERS = { query: async (): Promise<Sexp> => 3 } as unknown as SwankQueries;
