/** A host process that represents the user's programs, with the resources that attacks target. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Victim } from './attack';
import { called } from './scripts';

/**
 * Arguments: the folder, a unix socket, an abstract socket, the name of a queue. Runs until its input ends.
 */
const CODE = `
use Socket;
my ($folder, $socket, $abstract, $queue) = @ARGV;
chdir $folder;
open(my $kept, "+<", "kept") or die "kept: $!";
my $key = 0x4c480000 + $$ % 0x10000;
my $memory = shmget($key, 4096, 01600);
my $semaphore = semget($key, 1, 01600);
my $messages = msgget($key, 01600);
# One message of eight bytes: a user has little memory for queues.
my $small = pack("q8", 0, 1, 8);
for my $name ($queue, "$queue-two") { ${called([240, 180], '$name, 0102, 0600, $small')} }
socket(my $named, AF_UNIX, SOCK_DGRAM, 0); bind($named, sockaddr_un($socket)) or die "socket: $!";
socket(my $hidden, AF_UNIX, SOCK_DGRAM, 0); bind($hidden, sockaddr_un("\\0$abstract")) or die "abstract: $!";
socket(my $internet, AF_INET, SOCK_DGRAM, 0); bind($internet, sockaddr_in(0, INADDR_LOOPBACK)) or die "port: $!";
my ($port) = sockaddr_in(getsockname($internet));
$| = 1;
print join(" ", fileno($kept), $port, $key), "\\n";
# Answers each datagram to its port, until nobody is left who would end it.
for (;;) {
  my $ready = "";
  vec($ready, fileno($_), 1) = 1 for *STDIN, $internet;
  select($ready, undef, undef, undef);
  last if vec($ready, fileno(STDIN), 1);
  my $from = recv($internet, my $datagram, 1, 0);
  send($internet, $datagram, 0, $from);
}
shmctl($memory, 0, 0);
semctl($semaphore, 0, 0, 0);
msgctl($messages, 0, 0);
for my $name ($queue, "$queue-two") { ${called([241, 181], '$name')} }
`;

/** @param folder contains the file `kept`, and the folders of its sockets */
export async function startVictim(
  folder: string,
  run: string,
  atEnd: (end: () => unknown) => void,
): Promise<Victim> {
  const [socket, abstractSocket] = [
    path.join(run, 'datagrams'),
    `lisp-harbor-victim-${path.basename(path.dirname(run))}`,
  ];
  const queue = `lisp-harbor-${process.pid}-${path.basename(path.dirname(run))}`;
  const child: ChildProcess = spawn('perl', ['-e', CODE, folder, socket, abstractSocket, queue], {
    stdio: ['pipe', 'pipe', 'inherit'],
    // Its own process group, which an attack signals.
    detached: true,
  });
  const { pid, stdin, stdout } = child;
  if (pid === undefined || !stdin || !stdout) throw new Error('There is no Perl to start.');
  atEnd(async () => {
    const ended = child.exitCode === null ? once(child, 'exit') : null;
    stdin.end();
    await ended;
  });
  const [line] = (await once(createInterface(stdout), 'line')) as [string];
  const [descriptor = 0, port = 0, key = 0] = line.split(' ').map(Number);
  return { pid, folder, descriptor, port, abstractSocket, socket, key, queue };
}

/** A process that waits until it is killed. */
export function startDoomed(atEnd: (end: () => unknown) => void): number {
  const child = spawn('sleep', ['3600'], { stdio: 'ignore' });
  atEnd(() => child.kill('SIGKILL'));
  if (child.pid === undefined) throw new Error('There is no sleep to start.');
  return child.pid;
}
