/**
 * Gives an image a network of its own. bubblewrap starts in a new network namespace, and pasta(1) connects it
 * to other computers from outside, as this user. Loopback is the image's own; of this computer's loopback it
 * reaches only the ports that the user named.
 */

import { readFileSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { isExecutable, spawnAlone } from '../host/child-process';
import { SHARED_NETWORK_GAP } from '../sandbox/confinement';

/** Runs a program in a new network namespace as the same user. It stays the same process. */
export const IN_OWN_NETWORK = ['unshare', '--user', '--map-current-user', '--net', '--'];

/** Why images share the network although bubblewrap works, as the end of the gap. */
const WITHOUT_PASTA = 'pasta would separate them; on Debian and Ubuntu: apt install passt';

/** Name servers that pasta answers for in the namespace; the host's may listen on its loopback only. */
const NAME_SERVER = { IPv4: '169.254.1.1', IPv6: 'fd6c:6973:7068::53' } as const;

/** pasta reports within milliseconds that it is connected; a busy machine may take seconds. */
const CONNECT_MS = 20_000;

const POLL_MS = 2;

/** Characters kept of what pasta writes to stderr. */
const WRITTEN_LIMIT = 4_000;

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
   * Connects the network namespace of a process until that has ended, or this process.
   * @param ended resolves when the process has ended
   * @param ports of this computer's loopback that are reached at the same ports of the image's
   * @returns why it failed, as text for the user; null if it is connected
   */
  async connect(pid: number, ended: Promise<unknown>, ports: readonly number[]): Promise<string | null> {
    const folder = await mkdtemp(path.join(tmpdir(), 'lisp-harbor-network-'));
    // pasta writes its pid once it has configured the namespace.
    const ready = path.join(folder, 'pid');
    const args = [
      ...['--foreground', '--pid', ready, '--config-net', '--quiet', '--no-map-gw'],
      ...['--tcp-ports', 'none', '--udp-ports', 'none', '--udp-ns', 'none'],
      ...['--tcp-ns', ports.length === 0 ? 'none' : [...new Set(ports)].join()],
      ...nameServers().flatMap((at) => ['--dns-forward', at]),
      ...(process.getuid?.() === 0 ? ['--runas', '0:0'] : []),
      String(pid),
    ];
    // In the background it would outlive a namespace that it knows by pid.
    const pasta = spawnAlone(this.#pasta, args, {
      env: {},
      stdio: ['ignore', 'ignore', 'pipe'],
      endsWithUs: true,
    });
    let written = '';
    pasta.stderr?.on('data', (chunk: Buffer) => {
      written = (written + chunk.toString()).slice(-WRITTEN_LIMIT);
    });
    let failed = false;
    const failure = new Promise<string>((resolve) => {
      pasta.once('error', (error) => resolve(error.message));
      pasta.once('close', () => resolve(reasonOf(written)));
    }).finally(() => {
      failed = true;
    });
    void ended.then(() => pasta.kill('SIGKILL'));
    const connected = until(() => failed || isWritten(ready), CONNECT_MS).then((isReady) =>
      isReady ? null : 'it did not answer',
    );
    const reason = await Promise.race([failure, connected]);
    await rm(folder, { recursive: true, force: true });
    if (reason === null && !failed) return null;
    pasta.kill('SIGKILL');
    return `the network of the image could not be connected (pasta: ${reason ?? (await failure)})`;
  }
}

/** Waits for a condition. @returns whether it became true within the time in milliseconds */
async function until(condition: () => boolean, limit: number): Promise<boolean> {
  const end = Date.now() + limit;
  while (!condition()) {
    if (Date.now() > end) return false;
    await setTimeout(POLL_MS);
  }
  return true;
}

function isWritten(file: string): boolean {
  return (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

/** Returns the gap of a launcher whose images share this computer's network. @param reason why they do */
export function sharedNetworkGap(reason = WITHOUT_PASTA): string {
  return `${SHARED_NETWORK_GAP} (${reason})`;
}

/** Whether this computer has a route to others; without one pasta has nothing to connect to. */
export function isOnline(): boolean {
  return (
    linesOf('/proc/net/route').some((line) => line.split(/\s+/)[1] === '00000000') ||
    linesOf('/proc/net/ipv6_route').some((line) => /^0{32} 00 /.test(line) && !/ lo$/.test(line))
  );
}

/** Returns `resolv.conf` for an image with a network of its own. */
export function resolverSettings(): string {
  const others = resolverLines().filter((line) => /^(search|domain|options)\s/.test(line));
  return [...nameServers().map((at) => `nameserver ${at}`), ...others, ''].join('\n');
}

/** One for each family in which the host has a name server. */
function nameServers(): string[] {
  const hosts = resolverLines().flatMap((line) => /^nameserver\s+(\S+)/.exec(line)?.[1] ?? []);
  return [
    ...(hosts.some((at) => !at.includes(':')) ? [NAME_SERVER.IPv4] : []),
    ...(hosts.some((at) => at.includes(':')) ? [NAME_SERVER.IPv6] : []),
  ];
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

/** Returns the last message. Without a system log, pasta complains about that as well. */
function reasonOf(written: string): string {
  const lines = written.split('\n').filter((line) => line.trim() !== '' && !line.endsWith('to syslog'));
  return lines.at(-1)?.trim() ?? 'it ended without a message';
}
