/** Attacks of any Common Lisp with standard functions, without programs. Effects are checked from outside. */
import { attacks } from './attack';

export const STANDARD = [
  ...attacks('a decoy is read', [
    [
      'opens a file outside',
      ({ outside }) => `(with-open-file (s "${outside}/kept") (read-line s) :escaped)`,
    ],
    ['reads a key', ({ home }) => `(with-open-file (s "${home}/.ssh/id_decoy") (read-line s) :escaped)`],
    ['sees what is in the home folder', ({ home }) => `(if (directory "${home}/.ssh/*.*") :escaped)`],
    [
      'loads a file outside',
      ({ outside }) =>
        `(handler-case (progn (load "${outside}/kept") :escaped) (unbound-variable () :escaped))`,
    ],
  ]),
  ...attacks('a decoy is changed', [
    ['deletes outside', ({ outside }) => `(delete-file "${outside}/kept")`],
    ['renames outside', ({ outside }) => `(rename-file "${outside}/kept" "${outside}/moved")`],
    [
      'appends outside',
      ({ outside }) =>
        `(with-open-file (s "${outside}/kept" :direction :output :if-exists :append) (print 1 s))`,
    ],
  ]),
  ...attacks('a file appears outside', [
    [
      'writes outside',
      ({ outside }) => `(with-open-file (s "${outside}/new" :direction :output) (print 1 s))`,
    ],
    ['makes a folder outside', ({ outside }) => `(nth-value 1 (ensure-directories-exist "${outside}/a/"))`],
    [
      'compiles a file to outside',
      ({ outside, work }) =>
        `(progn (with-open-file (s "${work}/own.lisp" :direction :output :if-exists :supersede) (print 1 s)) (if (compile-file "${work}/own.lisp" :output-file "${outside}/own.fasl") :compiled))`,
    ],
  ]),
];
