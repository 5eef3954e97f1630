/** Attacks from a session of SBCL: with programs, and with Lisp. */
import { attacks } from './attack';
import { STANDARD } from './common-lisp';
import { describeAttacks } from './describe-attacks';
import { SBCL } from './engines';

const SEEN = { open: { Landlock: 'names of files and processes are visible' } };

const LISP = [
  ...STANDARD,
  ...attacks('a decoy is read', [
    ['sees what is below the home folder', ({ home }) => `(if (directory "${home}/**/*.*") :escaped)`],
    ['finds where a link leads', ({ home }) => `(if (probe-file "${home}/key") :escaped)`, SEEN],
    ['learns its name from the system', () => `(if (sb-posix:getpwuid 0) :escaped)`],
    [
      'sees the harbor’s environment',
      () => `(if (sb-posix:getenv "HARBOR_DECOY") :escaped)`,
      { unreachable: 'no launcher passes it on' },
    ],
    [
      'maps a file outside',
      ({ outside }) =>
        `(let ((fd (sb-posix:open "${outside}/kept" sb-posix:o-rdonly))) (sb-posix:mmap nil 5 sb-posix:prot-read sb-posix:map-private fd 0) :escaped)`,
    ],
    [
      'maps the memory of another process',
      ({ victim }) =>
        `(with-open-file (s "/proc/${victim.pid}/mem" :direction :io :if-exists :overwrite) :escaped)`,
    ],
  ]),
  ...attacks('a decoy is changed', [
    ['truncates outside', ({ outside }) => `(progn (sb-posix:truncate "${outside}/kept" 0) :escaped)`],
  ]),
  ...attacks('a file appears outside', [
    [
      'saves itself outside',
      ({ outside }) =>
        `(with-open-file (s "${outside}/core" :direction :output :element-type '(unsigned-byte 8)) (write-byte 1 s))`,
    ],
  ]),
  ...attacks('a connection is accepted', [
    [
      'connects by its own sockets',
      ({ port }) =>
        `(let ((s (make-instance 'sb-bsd-sockets:inet-socket :type :stream :protocol :tcp))) (sb-bsd-sockets:socket-connect s #(127 0 0 1) ${port}) :escaped)`,
    ],
    [
      'connects by a socket of a file',
      ({ run }) =>
        `(let ((s (make-instance 'sb-bsd-sockets:local-socket :type :stream))) (sb-bsd-sockets:socket-connect s "${run}/docker") :escaped)`,
    ],
    [
      'sends a datagram',
      () =>
        `(let ((s (make-instance 'sb-bsd-sockets:inet-socket :type :datagram :protocol :udp))) (sb-bsd-sockets:socket-connect s #(192 0 2 1) 9) (sb-bsd-sockets:socket-send s "x" 1) :escaped)`,
      { unreachable: 'not every computer has a network' },
    ],
  ]),
  ...attacks('a process outside is touched', [
    ['signals a process outside', ({ victim }) => `(progn (sb-posix:kill ${victim.pid} 0) :escaped)`],
  ]),
  ...attacks('the kernel lets it further in', [
    [
      'calls the kernel itself',
      () =>
        `(if (zerop (sb-alien:alien-funcall (sb-alien:extern-alien "unshare" (function sb-alien:int sb-alien:int)) #x20000)) :escaped)`,
      { unreachable: 'the image would be in a namespace of its own' },
    ],
  ]),
];

describeAttacks(SBCL, LISP);
