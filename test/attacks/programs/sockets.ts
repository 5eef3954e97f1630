/** Connects to programs of this or other computers, with every kind of socket. */
import { type Attack, attacks } from '../attack';
import {
  connects,
  connectsInternet,
  connectsTo,
  DATAGRAM,
  got,
  perl,
  SEQUENCED,
  STREAM,
  syscall,
} from '../scripts';

const SOCKET = [41, 198] as const;
const SOCKETPAIR = [53, 199] as const;

const MPTCP = 262;
const FAST_OPEN = 0x20000000;

/** Decoy sockets in their folder, named after real programs. */
export const LISTENERS = [
  'docker',
  'podman',
  'ssh-agent',
  'gpg-agent',
  'session-bus',
  'wayland',
  'containerd',
  'keyring',
  'x-server',
] as const;

/** Another local address at which the decoys listen. */
export const OTHER_ADDRESS = '127.1.2.3';

/** An IPv6 address as bytes. */
const connectsSix = (octets: readonly number[], port: number) =>
  perl(
    `socket(my $s, 10, 1, 0) or do { print "LACKING\\n"; exit }; print connect($s, pack("SnNC16N", 10, ${port}, 0, ${octets.join()}, 0)) ? "ESCAPED\\n" : $! == 99 ? "LACKING\\n" : ""`,
  );

const zeros = (count: number) => Array<number>(count).fill(0);

export const TCP = attacks('a connection is accepted', [
  ['connects to a port of this computer', ({ port }) => got(`exec 5<>/dev/tcp/127.0.0.1/${port}`)],
  ['connects to a port by a name', ({ port }) => got(`exec 5<>/dev/tcp/localhost/${port}`)],
  ['connects to a port by another of its addresses', ({ port }) => connectsInternet(OTHER_ADDRESS, port)],
  ['connects to a port by no address', ({ port }) => connectsInternet('0.0.0.0', port)],
  ['connects to a port by IPv6', ({ port }) => connectsSix([...zeros(15), 1], port), { mayLack: true }],
  [
    'connects to a port by IPv4 in IPv6',
    ({ port }) => connectsSix([...zeros(10), 255, 255, 127, 0, 0, 1], port),
    { mayLack: true },
  ],
  [
    'connects to a port by several ways at once',
    ({ port }) => connectsInternet('127.0.0.1', port, MPTCP),
    { mayLack: true },
  ],
  [
    'connects to a port with its first octets',
    ({ port }) =>
      perl(
        `socket(my $s, 2, 1, 0) or exit; print "ESCAPED\\n" if defined send($s, "x", ${FAST_OPEN}, pack("SnC4x8", 2, ${port}, 127, 0, 0, 1))`,
      ),
  ],
  [
    'connects from a port that it has bound',
    ({ port }) =>
      perl(
        `socket(my $s, 2, 1, 0) or exit; bind($s, pack("SnC4x8", 2, 0, 127, 0, 0, 1)); print "ESCAPED\\n" if connect($s, pack("SnC4x8", 2, ${port}, 127, 0, 0, 1))`,
      ),
  ],
  [
    'has an answer to a datagram from a port of this computer',
    ({ victim }) =>
      perl(
        `socket(my $s, 2, 2, 0) or exit; connect($s, pack("SnC4x8", 2, ${victim.port}, 127, 0, 0, 1)); send($s, "x", 0) or exit; my $b; recv($s, $b, 1, 0); print "ESCAPED\\n" if length $b`,
      ),
  ],
  [
    'finds a way to another computer',
    () =>
      perl(
        'socket(my $s, 2, 2, 0) or exit; print "ESCAPED\\n" if connect($s, pack("SnC4x8", 2, 9, 192, 0, 2, 1))',
      ),
    { unreachable: 'not every computer has a network' },
  ],
]);

export const UNIX = attacks('a connection is accepted', [
  ['connects to an abstract socket', ({ abstractSocket }) => connects(`"\\0${abstractSocket}"`)],
  [
    'connects to an abstract socket of datagrams',
    ({ victim }) => connects(`"\\0${victim.abstractSocket}"`, DATAGRAM),
  ],
  ['connects to a socket of datagrams', ({ victim }) => connectsTo(victim.socket, DATAGRAM)],
  [
    'sends to a socket by one end of a pair',
    ({ victim }) =>
      perl(
        `socketpair(my $a, my $b, 1, ${DATAGRAM}, 0) or exit; print "ESCAPED\\n" if defined send($a, "x", 0, pack("Sa*", 1, "${victim.socket}\\0"))`,
      ),
  ],
  [
    'sends to an abstract socket by one end of a pair',
    ({ victim }) =>
      perl(
        `socketpair(my $a, my $b, 1, ${DATAGRAM}, 0) or exit; print "ESCAPED\\n" if defined send($a, "x", 0, pack("Sa*", 1, "\\0${victim.abstractSocket}"))`,
      ),
  ],
  ['connects to a socket through a link', ({ run }) => `ln -s ${run} way; ${connectsTo('way/docker')}`],
  [
    'connects to a socket through the root of a process',
    ({ run, victim }) => connectsTo(`/proc/${victim.pid}/root${run}/docker`),
  ],
  ['connects to the harbor’s own socket', ({ data }) => connectsTo(`${data}/harbor.sock`)],
  ...LISTENERS.map(
    (name) =>
      [
        `connects to a socket like that of ${name}`,
        ({ run }: { run: string }) => connectsTo(`${run}/${name}`),
      ] as const,
  ),
  ['connects to a socket in its project', ({ project }) => connectsTo(`${project}/socket`)],
  [
    'connects to a socket in its project by a hard link',
    ({ project }) => `ln ${project}/socket linked; ${connectsTo('linked')}`,
  ],
  [
    'connects to a socket in its project that it has moved',
    ({ project }) =>
      `mv ${project}/code/movable moved; ${connectsTo('moved')}; mv moved ${project}/code/movable`,
  ],
  [
    'sends to a socket in its project by one end of a pair',
    ({ project }) =>
      perl(
        `socketpair(my $a, my $b, 1, ${DATAGRAM}, 0) or exit; print "ESCAPED\\n" if connect($a, pack("Sa*", 1, "${project}/datagrams\\0"))`,
      ),
  ],
  [
    'speaks to Docker',
    () => connectsTo('/var/run/docker.sock'),
    { unreachable: 'not every computer has it' },
  ],
  [
    'speaks to the system’s bus',
    () => connectsTo('/run/dbus/system_bus_socket'),
    { unreachable: 'not every computer has it' },
  ],
  [
    'speaks to the system’s log',
    () => connectsTo('/dev/log', DATAGRAM),
    { unreachable: 'not every computer has it' },
  ],
  [
    'speaks to the X server',
    () => connectsTo('/tmp/.X11-unix/X0'),
    { unreachable: 'not every computer has it' },
  ],
  [
    'speaks to the X server by its abstract socket',
    () => connects('"\\0/tmp/.X11-unix/X0"'),
    { unreachable: 'not every computer has it' },
  ],
  [
    'speaks to the system’s first process',
    () => connectsTo('/run/systemd/private'),
    { unreachable: 'not every computer has it' },
  ],
]);

/** Socket families (socket(2)) that nothing in a sandbox needs, each with one of its types. */
const FAMILIES: readonly (readonly [name: string, family: number, type: number, takes?: 'CAP_NET_RAW'])[] = [
  ['virtual machines', 40, STREAM],
  ['the kernel’s ciphers', 38, SEQUENCED],
  ['packets as they come', 17, 3, 'CAP_NET_RAW'],
  ['keys of IPsec', 15, 3],
  ['a bus in cars', 29, 3],
  ['Bluetooth', 31, 3],
  ['clusters', 30, SEQUENCED],
  ['databases in clusters', 21, SEQUENCED],
  ['messages in the kernel', 41, DATAGRAM],
  ['modems', 42, DATAGRAM],
  ['shared memory over a network', 43, STREAM],
  ['packets past the kernel', 44, 3, 'CAP_NET_RAW'],
  ['near fields', 39, 3],
  ['phones', 35, DATAGRAM],
  ['amateur radio', 3, DATAGRAM],
  ['X.25', 9, SEQUENCED],
  ['AppleTalk', 5, DATAGRAM],
  ['management of computers', 45, DATAGRAM],
  ['a family that is not there yet', 63, STREAM],
];

const FAMILY = attacks('the kernel lets it further in', [
  ...FAMILIES.map(
    ([name, family, type, takes]) =>
      [
        `opens a socket of ${name}`,
        () => syscall(SOCKET, `${family}, ${type}, 0`),
        { mayLack: true, ...(takes ? { takes } : {}) },
      ] as const,
  ),
  [
    'opens a socket of virtual machines by a number of more bits',
    () => syscall(SOCKET, '(1 << 32) + 40, 1, 0'),
    { mayLack: true },
  ],
  [
    'opens a pair of sockets of virtual machines',
    () => syscall(SOCKETPAIR, '40, 1, 0, my $b = " " x 8'),
    { mayLack: true },
  ],
  ['opens a raw socket', () => syscall(SOCKET, '2, 3, 1'), { takes: 'CAP_NET_RAW' }],
  ['opens a raw socket of IPv6', () => syscall(SOCKET, '10, 3, 58'), { takes: 'CAP_NET_RAW', mayLack: true }],
]);

export const SOCKETS: readonly Attack[] = [...TCP, ...UNIX, ...FAMILY];
