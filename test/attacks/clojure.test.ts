/** Attacks from a session of Clojure: with programs, and with the JVM. */
import { attacks } from './attack';
import { describeAttacks } from './describe-attacks';
import { CLOJURE } from './engines';

const SEEN = { open: { Landlock: 'names of files and processes are visible' } };

const CLASSES = [
  ...attacks('a decoy is read', [
    ['slurps a file outside', ({ outside }) => `(do (slurp "${outside}/kept") :escaped)`],
    ['slurps a key', ({ home }) => `(do (slurp "${home}/.ssh/id_decoy") :escaped)`],
    [
      'slurps a file by its address',
      ({ outside }) => `(do (slurp (java.net.URL. "file://${outside}/kept")) :escaped)`,
    ],
    ['sees the home folder', ({ home }) => `(if (.exists (java.io.File. "${home}/.bashrc")) :escaped)`, SEEN],
    [
      'loads a file outside',
      ({ outside }) =>
        `(try (load-file "${outside}/kept") (catch clojure.lang.Compiler$CompilerException _ :escaped))`,
    ],
    [
      'maps a file outside',
      ({ outside }) =>
        `(with-open [c (java.nio.channels.FileChannel/open (.toPath (java.io.File. "${outside}/kept")) (into-array java.nio.file.OpenOption []))] (.map c java.nio.channels.FileChannel$MapMode/READ_ONLY 0 4) :escaped)`,
    ],
    [
      'finds a process outside',
      ({ victim }) => `(if (.isPresent (java.lang.ProcessHandle/of ${victim.pid})) :escaped)`,
    ],
    [
      'looks up a name',
      () => `(do (java.net.InetAddress/getByName "example.org") :escaped)`,
      { unreachable: 'not every computer has a network' },
    ],
  ]),
  ...attacks('a decoy is changed', [
    ['deletes outside', ({ outside }) => `(if (.delete (java.io.File. "${outside}/kept")) :escaped)`],
    [
      'renames outside',
      ({ outside }) =>
        `(if (.renameTo (java.io.File. "${outside}/kept") (java.io.File. "${outside}/moved")) :escaped)`,
    ],
    [
      'links to a file outside',
      ({ outside, work }) =>
        `(do (java.nio.file.Files/createLink (.toPath (java.io.File. "${work}/hard")) (.toPath (java.io.File. "${outside}/kept"))) :escaped)`,
    ],
  ]),
  ...attacks('a file appears outside', [
    ['spits outside', ({ outside }) => `(spit "${outside}/new" "x")`],
    [
      'makes a temporary file outside',
      ({ outside }) =>
        `(do (java.io.File/createTempFile "decoy" ".tmp" (java.io.File. "${outside}")) :escaped)`,
    ],
  ]),
  ...attacks('a connection is accepted', [
    ['connects to this computer', ({ port }) => `(do (java.net.Socket. "127.0.0.1" ${port}) :escaped)`],
    [
      'connects to a socket in a folder outside',
      ({ run }) =>
        `(do (java.nio.channels.SocketChannel/open (java.net.UnixDomainSocketAddress/of "${run}/docker")) :escaped)`,
    ],
  ]),
  ...attacks('a process outside is touched', [
    [
      'ends a process outside by its handle',
      ({ victim }) =>
        `(if (.supportsNormalTermination (.get (java.lang.ProcessHandle/of ${victim.pid}))) :escaped)`,
    ],
    [
      'attaches to the JVM of another',
      ({ victim }) => `(do (com.sun.tools.attach.VirtualMachine/attach "${victim.pid}") :escaped)`,
      { unreachable: 'its victim is no JVM' },
    ],
  ]),
];

describeAttacks(CLOJURE, CLASSES);
