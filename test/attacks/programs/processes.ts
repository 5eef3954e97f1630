/** Acts on outside processes: kills, stops, slows, traces or controls them. */
import { type Attack, attacks, type Place } from '../attack';
import { type Call, called, got, opens, perl, syscall } from '../scripts';

/** Root loses the right to slow processes that have the capabilities it lost. */
const SLOWED = {
  open: { Landlock: 'processes of this user can be slowed down', unless: 'CAP_SYS_NICE' },
} as const;

/** A signal that is ignored by default. */
const WINCH = 28;

const pidfd = ({ victim }: Place) => `my $p = ${called([434, 434], `${victim.pid}, 0`)}`;

/** Perl with the call's result in `$r` and a descriptor of the victim. */
const byDescriptor = (place: Place, call: Call, args: string) =>
  perl(`${pidfd(place)}; my $r = $p < 0 ? -1 : ${called(call, args)}; print "ESCAPED\\n" if $r >= 0`);

const KCMP: Call = [312, 272];
const ROBUST_LIST: Call = [274, 100];
const PTRACE: Call = [101, 117];

export const PROCESSES: readonly Attack[] = attacks('a process outside is touched', [
  ['ends a process outside', ({ doomed }) => got(`kill -KILL ${doomed}`)],
  ['asks whether a process outside is there', ({ victim }) => got(`kill -0 ${victim.pid}`)],
  ['stops a process outside', ({ victim }) => got(`kill -STOP ${victim.pid} && kill -CONT ${victim.pid}`)],
  ['signals the group of a process outside', ({ victim }) => got(`kill -WINCH -- -${victim.pid}`)],
  [
    'signals a thread outside',
    ({ victim }) => syscalled([234, 131], `${victim.pid}, ${victim.pid}, ${WINCH}`),
  ],
  ['signals any thread of that number', ({ victim }) => syscalled([200, 130], `${victim.pid}, ${WINCH}`)],
  [
    'queues a signal outside',
    ({ victim }) =>
      perl(
        `my $i = pack("l4x112", ${WINCH}, 0, -1, 0); print "ESCAPED\\n" if ${called([129, 138], `${victim.pid}, ${WINCH}, $i`)} == 0`,
      ),
  ],
  [
    'signals a process outside by a descriptor',
    (place) => byDescriptor(place, [424, 424], `$p, ${WINCH}, 0, 0`),
  ],
  ['sets a limit of a process outside', ({ victim }) => got(`prlimit --pid ${victim.pid} --nofile=512:512`)],
  [
    'sets a limit by a number of more bits',
    ({ victim }) => syscalled([302, 261], `(1 << 32) + ${victim.pid}, 7, 0, 0`),
  ],
  ['slows a process outside', ({ victim }) => got(`renice -n 5 -p ${victim.pid}`), SLOWED],
  [
    'makes a process outside wait for the disk',
    ({ victim }) => syscalled([251, 30], `1, ${victim.pid}, 3 << 13`),
    SLOWED,
  ],
  [
    'moves a process outside to other processors',
    ({ victim }) =>
      perl(
        `my $m = pack("C128", (255) x 128); print "ESCAPED\\n" if ${called([203, 122], `${victim.pid}, 128, $m`)} == 0`,
      ),
    SLOWED,
  ],
  [
    'has the kernel end a process outside first',
    ({ victim }) => got(`echo 500 > /proc/${victim.pid}/oom_score_adj`),
  ],
  [
    'changes what a process outside writes when it dies',
    ({ victim }) => got(`echo 0x33 > /proc/${victim.pid}/coredump_filter`),
  ],
  [
    'forgets what memory a process outside used',
    ({ victim }) => got(`echo 1 > /proc/${victim.pid}/clear_refs`),
  ],
  [
    'traces a process outside',
    ({ victim }) => syscalled(PTRACE, `0x4206, ${victim.pid}, 0, 0`),
    { takes: 'CAP_SYS_PTRACE' },
  ],
  [
    'traces a process outside as it is attached',
    ({ victim }) => syscalled(PTRACE, `16, ${victim.pid}, 0, 0`),
    { unreachable: 'a process that is traced so stops' },
  ],
  [
    'reads the memory of a process outside',
    ({ victim }) => syscall([310, 270], `${victim.pid}, 0, 0, 0, 0, 0`),
  ],
  [
    'writes the memory of a process outside',
    ({ victim }) => syscall([311, 271], `${victim.pid}, 0, 0, 0, 0, 0`),
  ],
  [
    'opens the memory of a process outside for writing',
    ({ victim }) => opens(`/proc/${victim.pid}/mem`),
    { takes: 'CAP_SYS_PTRACE' },
  ],
  [
    'takes a descriptor of a process outside',
    (place) => byDescriptor(place, [438, 438], `$p, ${place.victim.descriptor}, 0`),
    { takes: 'CAP_SYS_PTRACE' },
  ],
  [
    'takes a descriptor of the harbor',
    ({ harbor }) =>
      perl(
        `my $p = ${called([434, 434], `${harbor}, 0`)}; print "ESCAPED\\n" if $p >= 0 && ${called([438, 438], '$p, 0, 0')} >= 0`,
      ),
    { takes: 'CAP_SYS_PTRACE' },
  ],
  [
    'compares what processes outside have',
    ({ victim, harbor }) => syscalled(KCMP, `${victim.pid}, ${harbor}, 1, 0, 0`),
    { takes: 'CAP_SYS_PTRACE', mayLack: true },
  ],
  [
    'learns an address of a process outside',
    ({ victim }) =>
      perl(
        `my ($a, $b) = (pack("Q", 0), pack("Q", 0)); print "ESCAPED\\n" if ${called(ROBUST_LIST, `${victim.pid}, $a, $b`)} == 0`,
      ),
  ],
  [
    'reaches memory that programs share',
    ({ victim }) => perl(`print "ESCAPED\\n" if defined shmget(${victim.key}, 0, 0)`),
  ],
  [
    'reaches semaphores that programs share',
    ({ victim }) => perl(`print "ESCAPED\\n" if defined semget(${victim.key}, 0, 0)`),
  ],
  [
    'reaches messages that programs share',
    ({ victim }) => perl(`print "ESCAPED\\n" if defined msgget(${victim.key}, 0)`),
  ],
  [
    'reaches a queue of messages by its name',
    ({ victim }) => syscalled([240, 180], `"${victim.queue}", 0, 0, 0`),
    { mayLack: true },
  ],
  [
    'takes away a queue of messages',
    ({ victim }) => syscalled([241, 181], `"${victim.queue}-two"`),
    { mayLack: true },
  ],
  ['advises the memory of a process outside', () => syscall([440, 440], '-1, 0, 0, 0, 0')],
]);

/** A system call that succeeded, rather than one that was only checked. */
function syscalled(call: Call, args: string): string {
  return perl(
    `my $r = ${called(call, `${args}`)}; print $r >= 0 ? "ESCAPED\\n" : $! == 38 ? "LACKING\\n" : ""`,
  );
}
