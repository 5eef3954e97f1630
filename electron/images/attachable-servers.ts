/**
 * Servers that the user started and the app attaches to: discovery, connecting, and who listens on a port.
 */
import { once } from 'node:events';
import { readdir, readFile, readlink } from 'node:fs/promises';
import net from 'node:net';
import { HarborError } from '../contract/errors';
import { instead, type Mention, type Message, mention, messageText } from '../contract/mention';
import type { EngineFound, SandboxReport } from '../contract/model';
import { addressText, type FindPortOwner, type ServerAddress } from '../contract/server';
import { isFree } from '../launchers/processes';
import { isWithin } from '../sandbox/paths';

/**
 * Sandbox report of a server that the app did not start and cannot confine. Settings store accepted reasons by their text
 * (`acceptedUnsandboxed`), so the text must not change.
 */
export const ATTACHED_SANDBOX: SandboxReport = {
  confined: false,
  launcher: 'attached',
  reason: 'this server was started by somebody else',
};

/**
 * Returns how to attach to a server of an engine that starts none.
 * @param call how to call the tool
 * @param naming how the user names the server
 */
export function howToAttach(call: Mention, naming: string): { text: string; mentions: readonly Mention[] } {
  const fact = 'Not started but attached to.';
  return { text: `${fact} ${naming}`, mentions: [instead(mention`${fact} ${call} ${naming}`)] };
}

/**
 * Reports the configured servers of an engine. Whether each listens is determined without connecting, because many servers
 * accept only one connection.
 * @param how as `howToAttach`
 * @param named configured servers of all kinds
 */
export async function findAttachable(
  engine: ServerAddress['kind'],
  how: Message,
  named: readonly ServerAddress[],
): Promise<EngineFound> {
  const own = named.filter(({ kind }) => kind === engine);
  const servers = own.map(async (server) => ({ ...server, listens: await isListening(server) }));
  return { engine, available: false, reason: messageText(how), servers: await Promise.all(servers) };
}

/** Milliseconds for a server on this host to accept a connection. */
const CONNECT_MS = 5_000;

/**
 * Connects without Nagle's algorithm, which would delay each answer by 44 ms.
 * @throws HarborError `engine_unavailable` if nothing listens
 */
export async function connect(server: ServerAddress): Promise<net.Socket> {
  const { host, port } = server;
  const socket = net.connect({ host, port, noDelay: true });
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(CONNECT_MS) });
    return socket;
  } catch (error) {
    socket.destroy();
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'no answer';
    throw new HarborError(
      'engine_unavailable',
      `No server answers at ${addressText(server)} (${reason}). Start it, or check host and port.`,
    );
  }
}

const TABLES = { v4: '/proc/net/tcp', v6: '/proc/net/tcp6' } as const;

const LISTENING = '0A';

/**
 * Addresses that a connection to 127.0.0.1 reaches, as in both tables: that address and the unspecified
 * address.
 */
const LOOPBACK_ADDRESSES = ['0100007F', '0000000000000000FFFF00000100007F', '0'.repeat(8), '0'.repeat(32)];

interface Listening {
  address: string;
  port: number;
  user: number;
  inode: string;
}

/** Reports whether a server listens; null if this system cannot tell. */
export async function isListening({ host, port }: { host: string; port: number }): Promise<boolean | null> {
  const tables = await listening(host.includes(':') ? [TABLES.v6] : [TABLES.v4, TABLES.v6]);
  return tables?.some((each) => each.port === port) ?? null;
}

/**
 * Returns the owner of the server on a port of 127.0.0.1, without connecting. `folder`: this user started it
 * outside of any sandbox of the app, with its working directory in the folder. This can be trusted: the
 * kernel reports the working directory, only the process itself changes it, and processes of images are
 * recognized by their ancestors and by properties that they cannot drop (`isFree`). Start times of processes
 * and times of files would prove nothing, because anyone who can write can do so at any time. `unknown`: any
 * other server (remote, of another user, in a container, behind a tunnel), and any server on a system that
 * cannot tell. Linux lists sockets in /proc/net/tcp (proc_pid_net(5)) with hexadecimal addresses, state 0A
 * for listening, user and inode.
 */
export const findListenerOwner: FindPortOwner = async (port, folder) => {
  const sockets = (await listening([TABLES.v4, TABLES.v6]))?.filter((each) => each.port === port);
  if (sockets?.length === 0) return 'nobody';
  const reached = (sockets ?? []).filter(({ address }) => LOOPBACK_ADDRESSES.includes(address));
  const ownSockets = reached.filter(({ user }) => user === process.getuid?.());
  if (ownSockets.length === 0 || ownSockets.length < reached.length) return 'unknown';
  const opened = await socketsOpenedIn(folder, new Set(ownSockets.map(({ inode }) => `socket:[${inode}]`)));
  return opened.size === ownSockets.length ? 'folder' : 'unknown';
};

/** Returns the sockets that are open in free processes whose working directory is in the folder. */
async function socketsOpenedIn(folder: string, sockets: ReadonlySet<string>): Promise<Set<string>> {
  const opened = new Set<string>();
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const place = await readlink(`/proc/${pid}/cwd`).catch(() => null);
    if (place === null || !isWithin(place, folder, process.platform)) continue;
    const links = (await linksOf(pid)).filter((link) => sockets.has(link));
    if (links.length > 0 && (await isFree(Number(pid)))) for (const link of links) opened.add(link);
  }
  return opened;
}

/** Returns the targets of the process's file descriptors. */
async function linksOf(pid: string): Promise<string[]> {
  const descriptors = await readdir(`/proc/${pid}/fd`).catch(() => []);
  return Promise.all(descriptors.map((each) => readlink(`/proc/${pid}/fd/${each}`).catch(() => '')));
}

/** Returns the listening sockets; null if this system cannot tell. */
async function listening(tables: readonly string[]): Promise<Listening[] | null> {
  const texts = await Promise.all(tables.map((file) => readFile(file, 'utf8').catch(() => null)));
  const known = texts.filter((text) => text !== null);
  return known.length === 0 ? null : known.flatMap(listeningIn);
}

function listeningIn(table: string): Listening[] {
  return table
    .split('\n')
    .slice(1)
    .map((line) => line.trim().split(/\s+/))
    .filter((fields) => fields[3] === LISTENING)
    .map(([, local = '', , , , , , user, , inode = '']) => {
      const [address = '', port = ''] = local.split(':');
      return { address, port: Number.parseInt(port, 16), user: Number(user), inode };
    });
}
