/** What comes of ACL2: records and commentary of its prover, its terms, and objects for clients of the ACL2 Bridge. */
import { expect } from 'vitest';
import { jsonOf, readObject } from '../../electron/compat/acl2-bridge/bridge-reply';
import { HarborError } from '../../electron/contract/errors';

import { certifyForm } from '../../electron/images/acl2/certification/certify-book';
import { readBookText } from '../../electron/images/acl2/certification/project-books';
import { conditionOf, rulesIn, warningsIn } from '../../electron/images/acl2/messages';
import { type FormRecord, recordIn } from '../../electron/images/acl2/records';
import { suggestionsFor } from '../../electron/images/acl2/suggestions/suggestions';
import { printTerm, readTerm } from '../../electron/images/acl2/terms';
import { eventReport } from '../../electron/images/acl2/verdict';
import { stringArgument } from '../../electron/images/acl2/wire';
import { formsIn } from '../../electron/source/reader';
import { fuzzText } from './parser';
import { recorded } from './recorded';

const RECORDS = recorded('acl2-records');
const TERMS = {
  seeds: [
    '(DEFTHM APP-NIL (IMPLIES (TRUE-LISTP X) (EQUAL (APP X NIL) X)) :HINTS (("Goal" :IN-THEORY (ENABLE APP))))',
    '(EQUAL (APP X \'(A . B)) (LIST "a \\" b" #\\Space |a b| -1/2 #c(1 2) :K ACL2::F))',
    '((:A . 1) (B 2 . C) NIL (("k" . #\\A)) ...)',
  ],
  tokens: [
    '(',
    ')',
    ' . ',
    "'",
    '"',
    '\\',
    '|',
    '#\\Space',
    '#\\constructor',
    '#c(1 2)',
    ':A',
    'NIL',
    '1',
    '(A . ',
    '(A (B ',
    ' ... ',
    'IMPLIES',
    'AND',
  ],
};

fuzzText({
  name: 'records of ACL2',
  seeds: RECORDS,
  tokens: ['{', '}', '[', ']', '"', '\\u0000', '\x01', '"record":"form"', '"__proto__":', 'null', '1e400'],
  read: recordIn,
  refuses: (error) => error instanceof Error && error.message.startsWith('the frame is not a record: '),
});

fuzzText({
  name: 'a book, and the arguments of its certification',
  seeds: [
    '; cert-flags: ? t :ttags ((:a "b")) :skip-proofs-okp t\n(in-package "ACL2")\n(local (include-book "arithmetic/top" :dir :system))\n(ld "package.lsp")\n(add-include-book-dir! :parts "../parts/") ; (depends-on "x")\n',
  ],
  tokens: [
    '(',
    ')',
    '"',
    ';',
    '\n',
    '|',
    '#|',
    '|#',
    '\\',
    ':dir',
    '(include-book ',
    'cert-flags:',
    ':ttags ',
    '(depends-on "',
  ],
  read: (text) => {
    const { flags } = readBookText(text);
    return certifyForm(text, flags);
  },
  refuses: (error) => error instanceof HarborError && error.code === 'bad_arguments',
  holds: (form) => expect(formsIn(form, 'common-lisp')).toHaveLength(1),
});

const FORM = RECORDS.map(recordIn).find(
  (record): record is FormRecord => record?.record === 'form' && !record.ok,
);

fuzzText({
  name: 'commentary of the prover',
  slow: [{ before: 'ACL2 Warning [A] in B:  ', again: ' ', after: 'x' }],
  seeds: recorded('acl2-commentary'),
  tokens: [
    ...[
      'ACL2 Error [A] in B:  ',
      'ACL2 Warning [A] in B:  ',
      'HARD ACL2 ERROR in ',
      '\n\n',
      'Rules: (',
      ')\n',
      '((:REWRITE A)',
    ],
    ...['suggested by\n', 'according to a scheme suggested by (', '), ', 'Summary\n', '(see :DOC guard)'],
  ],
  read: (text) => {
    // The conversation keeps the end of what was printed.
    const kept = text.slice(-16_384);
    const printed = { output: kept, commentary: kept };
    const report = FORM && eventReport(FORM, 1, printed);
    return {
      condition: conditionOf(printed, null),
      warnings: warningsIn(text, 1),
      rules: rulesIn(text),
      report,
    };
  },
  holds: ({ condition, warnings }) => {
    expect(condition.message.length).toBeLessThan(6_100);
    for (const { type } of warnings) expect(type).not.toContain('\n');
  },
});

fuzzText({
  ...TERMS,
  name: 'terms of ACL2',
  broke: ['\ufeff\ufeff'],
  read: readTerm,
  holds: (term) => {
    if (term === null) return;
    const written = printTerm(term);
    expect(readTerm(written)).not.toBeNull();
  },
});

fuzzText({
  ...TERMS,
  name: 'suggestions where a proof has failed',
  read: (text) =>
    FORM &&
    suggestionsFor({ ...FORM, form: text, checkpoints: checkpointsOf(text) }, { output: '', commentary: '' }),
});

function checkpointsOf(form: string): FormRecord['checkpoints'] {
  const checkpoint = { goal: 'Subgoal 1', text: form, form, pushed: null };
  return { top: [checkpoint], induction: [checkpoint], reverted: [], untold: 0, gaveUp: null };
}

fuzzText({
  ...TERMS,
  name: 'objects of ACL2 as JSON',
  broke: ['#\\constructor'],
  read: (text) => jsonOf(readObject(text)),
  refuses: (error) => error instanceof SyntaxError,
  holds: (json) => expect(() => JSON.parse(json)).not.toThrow(),
});

fuzzText({
  name: 'a string that a form of the harbor is given',
  seeds: ['(acl2::harbor-load "a.lisp")', ' (HARBOR-LOAD "a \\" b\\\\")\n'],
  tokens: ['"', '\\', '\\"', ' ', '(harbor-load ', ')'],
  read: (text) => stringArgument('load', text),
});
