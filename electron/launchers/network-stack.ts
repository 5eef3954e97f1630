/**
 * Gives an image a network of its own. bubblewrap starts in a new network namespace, and pasta(1) connects it
 * to other computers from outside, as this user. Loopback is the image's own; of this computer's loopback it
 * reaches only the ports that the user named.
 */

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { asFailure } from '../contract/errors';
import { isExecutable, runAlone } from '../host/child-process';
import { SHARED_NETWORK_GAP } from '../sandbox/confinement';

/** Runs a program in a new network namespace as the same user. It stays the same process. */
export const IN_OWN_NETWORK = ['unshare', '--user', '--map-current-user', '--net', '--'];

/** Why images share the network although bubblewrap works, as the end of the gap. */
const WITHOUT_PASTA = 'pasta would separate them; on Debian and Ubuntu: apt install passt';

/** Name servers that pasta answers for in the namespace; the host's may listen on its loopback only. */
const NAME_SERVER = { IPv4: '169.254.1.1', IPv6: 'fd6c:6973:7068::53' } as const;

/** pasta reports within milliseconds that it is connected; a busy machine may take seconds. */
const CONNECT_MS = 20_000;

export class NetworkStack {
  readonly #pasta: string;

  private constructor(pasta: string) {
    this.#pasta = pasta;
  }

  /**
   * Returns null if pasta is not installed.
   * @param searchPath folders to search, as in PATH
   */
  static find(searchPath: string): NetworkStack | null {
    const found = searchPath
      .split(path.delimiter)
      .filter(path.isAbsolute)
      .map((folder) => path.join(folder, 'pasta'))
      .find(isExecutable);
    return found === undefined ? null : new NetworkStack(found);
  }

  /**
   * Connects the network namespace of a process. The connection ends with the namespace.
   * @param ports of this computer's loopback that are reached at the same ports of the image's
   * @returns why it failed, as text for the user; null if it is connected
   */
  async connect(pid: number, ports: readonly number[]): Promise<string | null> {
    const forward = nameServers().map(({ at }) => ['--dns-forward', at]);
    const args = [
      ...['--config-net', '--quiet', '--no-map-gw'],
      ...['--tcp-ports', 'none', '--udp-ports', 'none', '--udp-ns', 'none'],
      ...['--tcp-ns', ports.length === 0 ? 'none' : [...new Set(ports)].join()],
      ...forward.flat(),
      ...(process.getuid?.() === 0 ? ['--runas', '0:0'] : []),
      String(pid),
    ];
    try {
      await runAlone(this.#pasta, args, { env: {}, timeout: CONNECT_MS });
      return null;
    } catch (error) {
      return `the network of the image could not be connected (pasta: ${reasonOf(error)})`;
    }
  }
}

/** Returns the gap of a launcher whose images share this computer's network. @param reason why they do */
export function sharedNetworkGap(reason = WITHOUT_PASTA): string {
  return `${SHARED_NETWORK_GAP} (${reason})`;
}

/** Whether this computer has a route to others; without one pasta has nothing to connect to. */
export function isOnline(): boolean {
  const [IPv4, IPv6] = ['/proc/net/route', '/proc/net/ipv6_route'].map(linesOf);
  return (
    (IPv4?.some((line) => line.split(/\s+/)[1] === '00000000') ?? false) ||
    (IPv6?.some((line) => /^0{32} 00 /.test(line) && !/ lo$/.test(line)) ?? false)
  );
}

/** Returns `resolv.conf` for an image with a network of its own. */
export function resolverSettings(): string {
  const others = resolverLines().filter((line) => /^(search|domain|options)\s/.test(line));
  return [...nameServers().map(({ at }) => `nameserver ${at}`), ...others, ''].join('\n');
}

/** One for each family in which the host has a name server. */
function nameServers(): { at: string }[] {
  const hosts = resolverLines().flatMap((line) => /^nameserver\s+(\S+)/.exec(line)?.[1] ?? []);
  const [IPv4, IPv6] = [hosts.some((at) => !at.includes(':')), hosts.some((at) => at.includes(':'))];
  return [...(IPv4 ? [{ at: NAME_SERVER.IPv4 }] : []), ...(IPv6 ? [{ at: NAME_SERVER.IPv6 }] : [])];
}

function resolverLines(): string[] {
  return linesOf('/etc/resolv.conf').map((line) => line.trim());
}

/** Empty if there is no such file. */
function linesOf(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n');
  } catch {
    return [];
  }
}

function reasonOf(error: unknown): string {
  const written = error instanceof Error && 'stderr' in error ? String(error.stderr) : '';
  // Without a system log, pasta complains about that as well.
  const lines = written.split('\n').filter((line) => line.trim() !== '' && !line.endsWith('to syslog'));
  return lines.at(-1)?.trim() ?? asFailure(error).message;
}
