/**
 * What the filter of system calls refuses beside the rest where a program has no namespaces of its own: whatever reaches
 * other programs of this computer. Landlock knows files and TCP only; a unix socket of Docker or of the session bus would
 * be a way to everything. Pure.
 */
import { EPERM, fail, ifEqual } from './bpf';
import { INTERNET, refusedUnless } from './seccomp-rules';

/** Numbers of system calls by machine. */
const NUMBERS = {
  x64: {
    socket: 41,
    socketpair: 53,
    prlimit64: 302,
    // shmget, shmat, shmctl; semget, semop, semctl, semtimedop; msgget, msgsnd, msgrcv, msgctl; mq_open, mq_unlink
    ipc: [29, 30, 31, 64, 65, 66, 220, 68, 69, 70, 71, 240, 241],
    // setxattr, lsetxattr, fsetxattr; getxattr, lgetxattr; listxattr, llistxattr; removexattr, lremovexattr, fremovexattr
    attributes: [188, 189, 190, 191, 192, 194, 195, 197, 198, 199],
  },
  arm64: {
    socket: 198,
    socketpair: 199,
    prlimit64: 261,
    ipc: [194, 196, 195, 190, 193, 191, 192, 186, 189, 188, 187, 180, 181],
    attributes: [5, 6, 7, 8, 9, 11, 12, 14, 15, 16],
  },
} as const;

/** Of both machines: setxattrat, getxattrat, listxattrat, removexattrat; file_setattr. */
const ATTRIBUTES_AT = [463, 464, 465, 466, 469];

/** What a file system without attributes answers, which programs that copy files take as it is. */
const EOPNOTSUPP = 95;

/** Two ends of one connection. Pairs of datagram sockets are not: either end can be sent to another socket. */
const SOCK_STREAM = 1;
const SOCKET_TYPE = 0xf;

/** Instructions that begin and, unless they refuse, end with the call's number at hand. */
export function sharedHostRules(machine: keyof typeof NUMBERS, network: boolean): Uint8Array[] {
  const { socket, socketpair, prlimit64, ipc, attributes } = NUMBERS[machine];
  return [
    ...ipc.flatMap((number) => [ifEqual(number, 0, 1), fail(EPERM)]),
    // Landlock knows no attributes of files, whosoever they are.
    ...[...attributes, ...ATTRIBUTES_AT].flatMap((number) => [ifEqual(number, 0, 1), fail(EOPNOTSUPP)]),
    ...refusedUnless(socket, 0, network ? INTERNET : []),
    ...refusedUnless(socketpair, 1, [SOCK_STREAM], SOCKET_TYPE),
    // Other processes of this user would take any limit, such as one of no more processor time.
    ...refusedUnless(prlimit64, 0, [0]),
  ];
}
