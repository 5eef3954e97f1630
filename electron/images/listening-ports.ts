/**
 * Who listens, told without connecting: a server that serves one connection would be used up by ours. Linux tells it in
 * /proc/net/tcp (proc_pid_net(5)): hexadecimal addresses, the state 0A for listening, the socket's user and its inode.
 */
import { readdir, readFile, readlink } from 'node:fs/promises';
import type { WhoListens } from '../contract/server';
import { isFree } from '../launchers/processes';
import { isWithin } from '../sandbox/project-rules';

const TABLES = { v4: '/proc/net/tcp', v6: '/proc/net/tcp6' } as const;

const LISTENING = '0A';

/** What a connection to 127.0.0.1 reaches: that address, as both tables write it, and all addresses. */
const LOOPBACK = ['0100007F', '0000000000000000FFFF00000100007F', '0'.repeat(8), '0'.repeat(32)];

interface Listening {
  address: string;
  port: number;
  user: number;
  inode: string;
}

/** null where this system does not tell. */
export async function listens({ host, port }: { host: string; port: number }): Promise<boolean | null> {
  const tables = await listening(host.includes(':') ? [TABLES.v6] : [TABLES.v4, TABLES.v6]);
  return tables?.some((each) => each.port === port) ?? null;
}

/**
 * Whose server listens on that port of 127.0.0.1: `folder` says that this user started it in the folder or below, outside
 * of every sandbox of ours. That can be believed: where a process works is what the kernel says, only the process itself
 * changes it, and what images run is known, whatever they do, by their ancestors and by what no process sheds
 * (`isFree`). Neither when the server began nor when a file was written would say anything: whoever may write can do so at
 * any time. `unknown` is all else: a server elsewhere, of another user, in a container, behind a tunnel; and any on a
 * system that does not tell.
 */
export const whoListens: WhoListens = async (port, folder) => {
  const sockets = (await listening([TABLES.v4, TABLES.v6]))?.filter((each) => each.port === port);
  if (sockets?.length === 0) return 'nobody';
  const reached = (sockets ?? []).filter(({ address }) => LOOPBACK.includes(address));
  const theirs = reached.filter(({ user }) => user === process.getuid?.());
  if (theirs.length === 0 || theirs.length < reached.length) return 'unknown';
  const held = await socketsHeldFrom(folder, new Set(theirs.map(({ inode }) => `socket:[${inode}]`)));
  return held.size === theirs.length ? 'folder' : 'unknown';
};

/** Those that free processes hold which work in the folder. */
async function socketsHeldFrom(folder: string, sockets: ReadonlySet<string>): Promise<Set<string>> {
  const held = new Set<string>();
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const place = await readlink(`/proc/${pid}/cwd`).catch(() => null);
    if (place === null || !isWithin(place, folder, process.platform)) continue;
    const links = (await linksOf(pid)).filter((link) => sockets.has(link));
    if (links.length > 0 && (await isFree(Number(pid)))) for (const link of links) held.add(link);
  }
  return held;
}

/** What its descriptors are. */
async function linksOf(pid: string): Promise<string[]> {
  const descriptors = await readdir(`/proc/${pid}/fd`).catch(() => []);
  return Promise.all(descriptors.map((each) => readlink(`/proc/${pid}/fd/${each}`).catch(() => '')));
}

/** null where this system does not tell. */
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
