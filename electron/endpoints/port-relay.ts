/**
 * Makes a port of an image reachable on this computer's loopback. An image in a network namespace has a loopback of
 * its own: a relay process enters that namespace and connects the sockets that are accepted here. An
 * image that shares this computer's loopback needs no relay.
 */

import { readlinkSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { type ChildProcess, spawnAlone } from '../host/child-process';
import { paths } from '../host/paths';
import { LOOPBACK, listenOnLoopback } from './loopback';

export class PortRelay {
  readonly #child: ChildProcess;
  readonly #server: Server;

  /**
   * Opens the port on this computer; null if the process shares its loopback.
   * @param pid of the image's process, as this computer sees it
   * @throws HarborError `port_in_use`
   */
  static async open(pid: number, port: number): Promise<PortRelay | null> {
    if (!hasOwnNetwork(pid)) return null;
    const relay = new PortRelay(pid, port);
    try {
      await listenOnLoopback(relay.#server, port, 'port');
    } catch (error) {
      relay.close();
      throw error;
    }
    return relay;
  }

  private constructor(pid: number, port: number) {
    const [program = '', ...args] = insideNetwork(pid, [process.execPath, paths.portRelay, String(port)]);
    this.#child = spawnAlone(program, args, {
      env: { ELECTRON_RUN_AS_NODE: '1' },
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      endsWithUs: true,
    });
    // Without its relay the port is closed; the caller sees that nothing answers.
    this.#child.once('error', () => this.close());
    this.#child.once('exit', () => this.close());
    this.#server = createServer({ pauseOnConnect: true }, (socket) => this.#pass(socket));
  }

  close(): void {
    this.#server.close();
    this.#child.kill();
  }

  #pass(socket: Socket): void {
    if (!this.#child.connected) return void socket.destroy();
    this.#child.send('connection', socket, (error) => error && socket.destroy());
  }
}

/** Reports whether something accepts connections at the port of this computer, and answers or waits for a request. */
export function accepts(port: number, waitMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = connect({ port, host: LOOPBACK });
    const settle = (answers: boolean) => {
      probe.destroy();
      clearTimeout(timer);
      resolve(answers);
    };
    const timer = setTimeout(() => settle(true), waitMs);
    probe.once('error', () => settle(false));
    probe.once('close', () => settle(false));
    probe.once('data', () => settle(true));
  });
}

function hasOwnNetwork(pid: number): boolean {
  const own = networkOf('self');
  const other = networkOf(pid);
  return own !== null && other !== null && own !== other;
}

/** Number of setns(2) by processor. */
const SETNS: Readonly<Partial<Record<NodeJS.Architecture, number>>> = { x64: 308, arm64: 268 };

/**
 * Enters the user namespace that owns the network namespace of a process, as that one may not be the namespace of
 * any process (ioctl_ns(2), `NS_GET_USERNS`), then the network namespace, and becomes the program. Perl is part of
 * Debian's base; nsenter(1) cannot do this, and Node has no ioctl.
 */
const ENTER_AND_BECOME = `my ($setns, $pid, @program) = @ARGV;
open my $network, '<', "/proc/$pid/ns/net" or die;
my $owner = ioctl($network, 0xb701, 0);
syscall($setns, $owner + 0, 0x10000000) if $owner;
syscall($setns, fileno $network, 0x40000000) == 0 or die;
exec @program;`;

/** Returns the words that run a program in the network of a process. */
function insideNetwork(pid: number, words: readonly string[]): string[] {
  return ['perl', '-e', ENTER_AND_BECOME, String(SETNS[process.arch] ?? 0), String(pid), ...words];
}

function networkOf(process: number | 'self'): string | null {
  try {
    return readlinkSync(`/proc/${process}/ns/net`);
  } catch {
    return null;
  }
}
