/**
 * Proofs in ACL2 by an agent that has only our advice: it submits what it wants, and then what the answer says was tried and is
 * proved. An expert needed 11 and 10 calls for the sorts and the compiler, and 8,800 and 10,200 characters.
 */
import type { Task } from './task.ts';

/** A book of `forms`, and what ACL2 says of it in the end. */
export function submitted(name: string, ...forms: string[]): string {
  const text = ['(in-package "ACL2")', ...forms].join('\n');
  return `cat > ${name}.lisp <<'END'\n${text}\nEND\necho '(certify-book "${name}" ? nil)' | acl2 > ${name}.log 2>&1; tail -60 ${name}.log`;
}

/** The form that was tried and is proved, and what must be submitted before it. */
const PROVED = /(?:Submit (.*) first\. )?Tried: it is proved\.\n\s+\| (.*)/;

/** The lemma that was tried and is proved, although the theorem still fails after it. */
const LEMMA = /Tried: the lemma is proved[^\n]*\n\s+\| (.*)/;

const SORTS = `(defun insert (e x)
  (cond ((endp x) (list e)) ((<= e (car x)) (cons e x)) (t (cons (car x) (insert e (cdr x))))))
(defun isort (x) (if (endp x) nil (insert (car x) (isort (cdr x)))))
(defun how-many (e x) (if (endp x) 0 (+ (if (equal e (car x)) 1 0) (how-many e (cdr x)))))
(defun ordered (x) (or (endp x) (endp (cdr x)) (and (<= (car x) (cadr x)) (ordered (cdr x)))))
(defun half (x) (if (endp x) nil (cons (car x) (half (cddr x)))))
(defun merge2 (x y)
  (declare (xargs :measure (+ (acl2-count x) (acl2-count y))))
  (cond ((endp x) y)
        ((endp y) x)
        ((<= (car x) (car y)) (cons (car x) (merge2 (cdr x) y)))
        (t (cons (car y) (merge2 x (cdr y))))))`;

const MSORT =
  '(defun msort (x) (if (or (endp x) (endp (cdr x))) x (merge2 (msort (half x)) (msort (half (cdr x))))))';
const SMALLER = `(defthm half-acl2-count (<= (acl2-count (half x)) (acl2-count x))
  :rule-classes :linear :hints (("Goal" :induct (half x))))
(defthm half-acl2-count-less
  (implies (and (consp x) (consp (cdr x))) (< (acl2-count (half x)) (acl2-count x))) :rule-classes :linear)`;
const SAME = '(defthm how-many-msort (equal (how-many e (msort x)) (how-many e x)))';
const MERGED =
  '(defthm how-many-of-merge2 (equal (how-many k1 (merge2 x y)) (+ (how-many k1 x) (how-many k1 y))))';
const SAME_HINTED = `${SAME.slice(0, -1)} :hints (("Goal" :induct (how-many e x))))`;
const EQUIVALENT = `(defthm isort-is-ordered (ordered (isort x)))
(defthm msort-is-ordered (ordered (msort x)))
(defthm sorts-have-the-same-elements (equal (how-many e (msort x)) (how-many e (isort x))))`;

export const sorting: Task = {
  what: 'insertion and merge sort, proved equivalent',
  engine: 'acl2',
  prepare() {},
  async tools(agent) {
    const submit = (says: RegExp, ...forms: (string | undefined)[]) =>
      agent.call('eval', { code: forms.join('\n') }, says);
    const [before, smaller] = await submit(PROVED, SORTS, MSORT);
    const [lemma] = await submit(LEMMA, before, smaller, MSORT, SAME);
    const [, hinted] = await submit(PROVED, lemma, SAME);
    await submit(/SORTS-HAVE-THE-SAME-ELEMENTS: admitted[\s\S]*no trust issues/, hinted, EQUIVALENT);
  },
  shell: [
    submitted('sorts', SORTS, MSORT),
    submitted('sorts', SORTS, SMALLER, MSORT, SAME),
    submitted('sorts', SORTS, SMALLER, MSORT, MERGED, SAME),
    `${submitted('sorts', SORTS, SMALLER, MSORT, MERGED, SAME_HINTED, EQUIVALENT)}; test -f sorts.cert`,
  ],
  goal: 5_600,
};

const CLIQUE = `(mutual-recursion
 (defun value-of (e) (if (atom e) (fix e) (value-of-call (car e) e)))
 (defun value-of-call (op e) (if (atom e) 0 (if (equal op 'neg) (- (value-of (cadr e))) (sum (cdr e)))))
 (defun sum (es) (if (atom es) 0 (+ (value-of (car es)) (sum (cdr es))))))`;
const MEASURED = CLIQUE.replace('(e) (if', '(e) (declare (xargs :measure (+ 1 (* 2 (acl2-count e))))) (if')
  .replace('(op e) (if', '(op e) (declare (xargs :measure (* 2 (acl2-count e)))) (if')
  .replace('(es) (if', '(es) (declare (xargs :measure (* 2 (acl2-count es)))) (if');

export const mutualRecursion: Task = {
  what: 'a mutual recursion that needs ranks in its measure',
  engine: 'acl2',
  prepare() {},
  async tools(agent) {
    const [, form] = await agent.call('eval', { code: CLIQUE }, PROVED);
    await agent.call('eval', { code: form }, /MUTUAL-RECURSION.*: admitted[\s\S]*no trust issues/);
  },
  shell: [submitted('clique', CLIQUE), `${submitted('clique', MEASURED)}; test -f clique.cert`],
  goal: 2_000,
};

const MACHINE = `(defstobj machine (memory :type (array (unsigned-byte 8) (16)) :initially 0))
(defun fill-memory (n v machine)
  (declare (xargs :stobjs machine :guard (and (natp n) (<= n (memory-length machine)) (unsigned-byte-p 8 v))))
  (if (zp n) machine (let ((machine (update-memoryi (- n 1) v machine))) (fill-memory (- n 1) v machine))))`;
const SUM = `(defun sum-memory (n acc machine)
  (declare (xargs :stobjs machine :guard (and (natp n) (<= n (memory-length machine)) (natp acc))))
  (if (zp n) acc (sum-memory (- n 1) (+ acc (memoryi (- n 1) machine)) machine)))`;
const ELEMENTS = `(defthm memoryp-of-nth (implies (and (memoryp x) (natp i) (< i (len x))) (natp (nth i x)))
  :rule-classes (:rewrite :type-prescription))`;

export const stobjGuards: Task = {
  what: 'guards of functions on a stobj',
  engine: 'acl2',
  prepare() {},
  async tools(agent) {
    const [, rule] = await agent.call('eval', { code: `${MACHINE}\n${SUM}` }, PROVED);
    await agent.call('eval', { code: `${rule}\n${SUM}` }, /SUM-MEMORY: admitted[\s\S]*no trust issues/);
  },
  shell: [
    submitted('machine', MACHINE, SUM),
    `${submitted('machine', MACHINE, ELEMENTS, SUM)}; test -f machine.cert`,
  ],
  goal: 2_600,
};
