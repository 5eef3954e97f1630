/** Escapes from a session of Clojure: by programs that it runs, and by the JVM itself. */
import { describeEscapes, type OwnAttempt } from './escapes';
import { CLOJURE_PROGRAMS } from './programs';

/** By the JVM's own classes. */
const JVM: readonly OwnAttempt[] = [
  ['slurp a file outside', ({ outside }) => `(do (slurp "${outside}/kept") :escaped)`],
  ['slurp a key', ({ home }) => `(do (slurp "${home}/.ssh/id_decoy") :escaped)`],
  ['spit outside', ({ outside }) => `(spit "${outside}/new" "x")`],
  ['delete outside', ({ outside }) => `(if (.delete (java.io.File. "${outside}/kept")) :escaped)`],
  ['see the home folder', ({ home }) => `(if (.exists (java.io.File. "${home}/.bashrc")) :escaped)`],
  ['load a file outside', ({ home }) => `(do (load-file "${home}/.bashrc") :escaped)`],
  ['connect to this computer', ({ port }) => `(do (java.net.Socket. "127.0.0.1" ${port}) :escaped)`],
  ['look up a name', () => `(do (java.net.InetAddress/getByName "example.org") :escaped)`],
  [
    'find a process outside',
    ({ victim }) => `(if (.isPresent (java.lang.ProcessHandle/of ${victim})) :escaped)`,
  ],
  [
    'link to a file outside',
    ({ outside, project }) =>
      `(do (java.nio.file.Files/createLink (java.nio.file.Path/of "${project}/hard" (into-array String [])) (java.nio.file.Path/of "${outside}/kept" (into-array String []))) :escaped)`,
  ],
];

describeEscapes('Clojure', {
  ...CLOJURE_PROGRAMS,
  own: JVM,
  guarded: (code) => `(try ${code} (catch Throwable problem (class problem)))`,
  escaped: ':escaped',
});
