/** Attacks from a session of ECL: with programs, Lisp and C. */
import { attacks } from './attack';
import { STANDARD } from './common-lisp';
import { describeAttacks } from './describe-attacks';
import { ECL_ATTACKED } from './engines';

const OF_ECL = attacks('a file appears outside', [
  [
    'copies a file to outside',
    ({ outside, work }) =>
      `(progn (with-open-file (s "${work}/own" :direction :output) (print 1 s)) (ext:copy-file "${work}/own" "${outside}/new"))`,
  ],
  ['makes a folder outside by its own function', ({ outside }) => `(si:mkdir "${outside}/made" #o777)`],
  [
    'enters a folder outside',
    ({ outside }) =>
      `(let ((old (ext:getcwd))) (unwind-protect (progn (ext:chdir "${outside}/") (with-open-file (s "new" :direction :output) (print 1 s))) (ext:chdir old)))`,
  ],
]);

describeAttacks(ECL_ATTACKED, [...STANDARD, ...OF_ECL]);
