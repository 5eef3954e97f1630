/** Attacks from a session of ABCL: with programs, Lisp and Java. */
import { attacks } from './attack';
import { STANDARD } from './common-lisp';
import { describeAttacks } from './describe-attacks';
import { ABCL_ATTACKED } from './engines';

const OF_JAVA = [
  ...attacks('a decoy is read', [
    [
      'reads a file by Java',
      ({ outside }) =>
        `(progn (java:jcall "read" (java:jnew "java.io.FileInputStream" "${outside}/kept")) :escaped)`,
    ],
    [
      'reads a file by its address',
      ({ outside }) =>
        `(progn (java:jcall "openStream" (java:jnew "java.net.URL" "file://${outside}/kept")) :escaped)`,
    ],
  ]),
  ...attacks('a decoy is changed', [
    [
      'deletes outside by Java',
      ({ outside }) => `(if (java:jcall "delete" (java:jnew "java.io.File" "${outside}/kept")) :escaped)`,
    ],
  ]),
  ...attacks('a file appears outside', [
    [
      'makes a file outside by Java',
      ({ outside }) =>
        `(if (java:jcall "createNewFile" (java:jnew "java.io.File" "${outside}/new")) :escaped)`,
    ],
  ]),
  ...attacks('a connection is accepted', [
    ['connects by Java', ({ port }) => `(progn (java:jnew "java.net.Socket" "127.0.0.1" ${port}) :escaped)`],
  ]),
];

describeAttacks(ABCL_ATTACKED, [...STANDARD, ...OF_JAVA]);
