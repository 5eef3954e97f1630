/** Escapes from a session of SBCL: by programs that it runs, and by Lisp itself. */
import { describeEscapes, type OwnAttempt } from './escapes';
import { SBCL_PROGRAMS } from './programs';

/** By Lisp's own functions. */
const LISP: readonly OwnAttempt[] = [
  ['open a file outside', ({ outside }) => `(with-open-file (s "${outside}/kept") (read-line s) :escaped)`],
  ['read a key', ({ home }) => `(with-open-file (s "${home}/.ssh/id_decoy") (read-line s) :escaped)`],
  ['write outside', ({ outside }) => `(with-open-file (s "${outside}/new" :direction :output) (print 1 s))`],
  ['delete outside', ({ outside }) => `(progn (delete-file "${outside}/kept") :escaped)`],
  ['rename outside', ({ outside }) => `(progn (rename-file "${outside}/kept" "${outside}/moved") :escaped)`],
  ['make a folder outside', ({ outside }) => `(nth-value 1 (ensure-directories-exist "${outside}/a/"))`],
  ['see what is in the home folder', ({ home }) => `(if (directory "${home}/**/*.*") :escaped)`],
  ['find where a link leads', ({ home }) => `(if (probe-file "${home}/.bashrc") :escaped)`],
  ['load a file outside', ({ home }) => `(progn (load "${home}/.bashrc") :escaped)`],
  [
    'connect by its own sockets',
    ({ port }) =>
      `(let ((s (make-instance 'sb-bsd-sockets:inet-socket :type :stream :protocol :tcp))) (sb-bsd-sockets:socket-connect s #(127 0 0 1) ${port}) :escaped)`,
  ],
  [
    'send a datagram',
    () =>
      `(let ((s (make-instance 'sb-bsd-sockets:inet-socket :type :datagram :protocol :udp))) (sb-bsd-sockets:socket-connect s #(192 0 2 1) 9) (sb-bsd-sockets:socket-send s "x" 1) :escaped)`,
  ],
  ['signal a process outside', ({ victim }) => `(progn (sb-posix:kill ${victim} 0) :escaped)`],
  ['learn its name from the system', () => `(if (sb-posix:getpwuid 0) :escaped)`],
  ['see the harbor’s environment', () => `(if (sb-posix:getenv "HARBOR_DECOY") :escaped)`],
  [
    'save itself outside',
    ({ outside }) =>
      `(with-open-file (s "${outside}/core" :direction :output :element-type '(unsigned-byte 8)) (write-byte 1 s))`,
  ],
  [
    'map the memory of another process',
    ({ victim }) =>
      `(with-open-file (s "/proc/${victim}/mem" :direction :io :if-exists :overwrite) :escaped)`,
  ],
  [
    'call the kernel itself',
    () =>
      `(if (zerop (sb-alien:alien-funcall (sb-alien:extern-alien "unshare" (function sb-alien:int sb-alien:int)) #x10000000)) :escaped)`,
  ],
];

describeEscapes('SBCL', {
  ...SBCL_PROGRAMS,
  own: LISP,
  guarded: (code) => `(handler-case ${code} (error (condition) (type-of condition)))`,
  escaped: ':ESCAPED',
});
