/** What books try against a final check: to reach the memory of its processes, and to write what a later one would believe. */
import { expect, it } from 'vitest';
import { sampled } from '../rounds';
import { startImage } from './acl2-fixture';
import { type Files, writeFiles } from './loading-fixture';

const IN_ACL2 = '(in-package "ACL2")\n';
const HOLDS = '(defthm car-of-cons (equal (car (cons x y)) x) :rule-classes nil)\n';

/** An array of five elements, of which code reads and writes the hundredth. */
const ARRAY = `(defconst *a* (compress1 'a '((:header :dimensions (5) :maximum-length 20 :default 0 :name a))))
(defun peek (i) (declare (xargs :mode :program)) (aref1 'a *a* i))
(defun poke (i) (declare (xargs :mode :program)) (len (aset1 'a *a* i 0)))
`;

/** A stobj whose array is read in place, by a function that is compiled. */
const STOBJ = `(defstobj st (bytes :type (array (unsigned-byte 8) (16)) :initially 0) :inline t)
(defun peek-st (i st) (declare (xargs :mode :program :stobjs st)) (bytesi i st))
`;

const WRITES = (file: string, text: string) =>
  `(mv-let (channel state) (open-output-channel "${file}" :character state) (pprogn (princ$ "${text}" channel state) (close-output-channel channel state)))\n`;

async function check(files: Files) {
  const image = await startImage();
  writeFiles(image.request.project, files);
  const checks = { book: 'main', claim: null, trustTags: [], notes: [] };
  return image.evaluate('; a final check', { finalCheck: checks });
}

/** Events that read or write beyond the end of an array. */
const BEYOND: readonly [string, string][] = [
  ['macro', '(defmacro read-beyond () (prog2$ (peek 100) nil))\n(value-triple (read-beyond))\n'],
  ['constant', '(defconst *beyond* (peek 100))\n'],
  ['make-event', `(make-event (prog2$ (peek 100) '(value-triple 1)))\n`],
  ['write', `(make-event (prog2$ (poke 100) '(value-triple 1)))\n`],
  ['event that leaves safe mode', '(value-triple (prog2$ (peek 100) 1) :safe-mode nil)\n'],
  [
    'make-event that leaves safe mode',
    `(make-event (pprogn (f-put-global 'safe-mode nil state) (prog2$ (peek 100) (value '(value-triple 1)))))\n`,
  ],
  [
    'function whose guards nobody has proved',
    `(skip-proofs (defun bad (i) (declare (xargs :guard (natp i))) (aref1 'a *a* i)))\n(make-event (prog2$ (bad 100) '(value-triple 1)))\n`,
  ],
  [
    'option of a trace',
    `(defun traced (x) x)\n(make-event (er-progn (trace$ (traced :cond (peek 100))) (value (list 'value-triple (traced 1)))))\n`,
  ],
  [
    'evaluator that is told to leave safe mode',
    `(make-event (mv-let (erp val ttree) (ev-fncall+-w 'peek '(100) (w state) nil t nil) (declare (ignore erp val ttree)) '(value-triple 1)))\n`,
  ],
  [
    'function of the prover that believes its arguments',
    `(make-event (prog2$ (fix-stobj-array-type 17 17) '(value-triple 1)))\n`,
  ],
];

it.each(sampled('acl2-final-check-attacks', BEYOND, 5))(
  'no %s gets beyond the end of an array',
  async (_what, form) => {
    const { outcome, condition } = await check({ 'main.lisp': `${IN_ACL2}${HOLDS}${ARRAY}${form}` });
    expect([outcome, condition?.message]).toEqual([
      'error',
      expect.stringMatching(
        /guard\s+for\s+the\s+function\s+call|safe-mode|skips\s+proofs|TRACE\$ is not available/i,
      ),
    ]);
  },
);

it.each(['(set-ld-skip-proofsp t state)', "(ld '((defthm wrong nil)) :ld-skip-proofsp t)"])(
  'below a book proofs are not skipped: %s',
  async (skipping) => {
    const { outcome, condition } = await check({
      'main.acl2': `${skipping}\n`,
      'main.lisp': `${IN_ACL2}${HOLDS}`,
    });
    expect([outcome, condition?.message]).toEqual([
      'error',
      expect.stringContaining('main.acl2 does not hold'),
    ]);
  },
);

it('no stobj is read beyond its end, compiled or not', async () => {
  const beyond = `${IN_ACL2}${HOLDS}${STOBJ}(make-event (let ((read (peek-st 1000000 st))) (mv nil (list 'value-triple read) state st)))\n`;
  const { outcome } = await check({ 'main.lisp': beyond });
  expect(outcome).toBe('error');
  const compiled = await check({
    'main.acl2': `${STOBJ}(comp 'peek-st)\n(peek-st 1000000 st)\n`,
    'main.lisp': `${IN_ACL2}${HOLDS}`,
  });
  expect(compiled.outcome).toBe('error');
});

it.each([
  ['a certificate', 'other.cert'],
  ['a compiled file', 'other.o'],
  ['another source', 'other.lisp'],
])('%s that is written before a book is certified is noticed', async (_what, file) => {
  const { outcome, condition } = await check({
    'other.lisp': `${IN_ACL2}(defthm other (equal (cdr (cons x y)) y) :rule-classes nil)\n`,
    'main.acl2': WRITES(file, '; forged'),
    'main.lisp': `${IN_ACL2}(include-book "other")\n${HOLDS}`,
  });
  expect([outcome, condition?.message]).toEqual([
    'error',
    expect.stringMatching(`main\\.acl2 changed files that it must not write: ${file}`),
  ]);
});

it('no file is written while a book is certified', async () => {
  const writes = `(make-event (mv-let (channel state) (open-output-channel "main.cert" :character state) (pprogn (princ$ "forged" channel state) (value '(value-triple 1)))))\n`;
  const { outcome } = await check({ 'main.lisp': `${IN_ACL2}${HOLDS}${writes}` });
  expect(outcome).toBe('error');
});

it('raw Lisp is not reached, and proofs are not skipped below a book', async () => {
  for (const below of ['(defttag :mine)\n', '(set-ld-skip-proofsp t state)\n(defthm wrong nil)\n']) {
    const { outcome } = await check({ 'main.acl2': below, 'main.lisp': `${IN_ACL2}${HOLDS}` });
    expect([below, outcome]).toEqual([below, 'error']);
  }
});

it('a record that a book prints is text', async () => {
  const prints =
    '(value-triple (cw "~s0 0000 {\\"record\\":\\"done\\"}~%" (coerce (list (code-char 30)) \'string)))\n';
  const { outcome, report } = await check({ 'main.lisp': `${IN_ACL2}${prints}${HOLDS}` });
  expect([outcome, report?.finalCheck?.theoremCount]).toEqual(['ok', 1]);
});
