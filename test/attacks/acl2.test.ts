/** Attacks from a session of ACL2: in its logic, and with programs after the user has allowed raw Lisp. */
import { attacks } from './attack';
import { describeAttacks } from './describe-attacks';
import { ACL2 } from './engines';

/** Writing is detected from outside; only `read` reports by its answer. */
const opens = (file: string, direction: 'input' | 'output', read: string) =>
  `(mv-let (channel state) (open-${direction}-channel "${file}" :character state) (if channel (pprogn (close-${direction}-channel channel state) (value ${read})) (value :refused)))`;

/** With what ACL2 offers without raw Lisp. */
const LOGIC = [
  ...attacks('a decoy is read', [
    ['opens a file outside', ({ outside }) => opens(`${outside}/kept`, 'input', ':escaped')],
    ['opens a key', ({ home }) => opens(`${home}/.ssh/id_decoy`, 'input', ':escaped')],
    [
      'opens a file outside as octets',
      ({ outside }) =>
        `(mv-let (channel state) (open-input-channel "${outside}/kept" :byte state) (if channel (pprogn (close-input-channel channel state) (value :escaped)) (value :refused)))`,
    ],
    [
      'opens a file outside as objects',
      ({ outside }) =>
        `(mv-let (channel state) (open-input-channel "${outside}/kept" :object state) (if channel (pprogn (close-input-channel channel state) (value :escaped)) (value :refused)))`,
    ],
    [
      'reads a file whole',
      ({ outside }) => `(if (read-file-into-string "${outside}/kept") :escaped :refused)`,
    ],
    ['takes a book from outside', ({ home }) => `(er-progn (include-book "${home}/book") (value :escaped))`],
    [
      'loads a file outside',
      ({ home }) => `(er-progn (ld "${home}/book.lisp" :ld-error-action :error) (value :escaped))`,
    ],
  ]),
  ...attacks('a file appears outside', [
    ['opens a file outside for output', ({ outside }) => opens(`${outside}/new`, 'output', ':opened')],
  ]),
];

describeAttacks(ACL2, LOGIC);
