/** Escapes from a session of ACL2: by its logic, and, once a person has opened raw Lisp, by programs that it runs. */
import { describeEscapes, type OwnAttempt } from './escapes';
import { ACL2_PROGRAMS } from './programs';

/** What is opened for output is shown by what is outside then: `read` alone tells by its answer. */
const opens = (file: string, direction: 'input' | 'output', read: string) =>
  `(mv-let (channel state) (open-${direction}-channel "${file}" :character state) (if channel (pprogn (close-${direction}-channel channel state) (value ${read})) (value :refused)))`;

/** By what ACL2 offers without raw Lisp. */
const LOGIC: readonly OwnAttempt[] = [
  ['open a file outside', ({ outside }) => opens(`${outside}/kept`, 'input', ':escaped')],
  ['open a key', ({ home }) => opens(`${home}/.ssh/id_decoy`, 'input', ':escaped')],
  ['open a file outside for output', ({ outside }) => opens(`${outside}/new`, 'output', ':opened')],
  ['read a file whole', ({ outside }) => `(if (read-file-into-string "${outside}/kept") :escaped :refused)`],
  ['take a book from outside', ({ home }) => `(er-progn (include-book "${home}/.bashrc") (value :escaped))`],
  [
    'load a file outside',
    ({ home }) => `(er-progn (ld "${home}/.bashrc" :ld-error-action :error) (value :escaped))`,
  ],
];

describeEscapes('ACL2 with raw Lisp', {
  ...ACL2_PROGRAMS,
  own: LOGIC,
  guarded: (code) => code,
  escaped: ':ESCAPED',
});
