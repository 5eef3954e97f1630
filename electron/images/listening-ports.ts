/**
 * Whether a server listens, told without connecting: a server that serves one connection would be used up by ours. Linux
 * tells it in /proc/net/tcp (proc_pid_net(5)): hexadecimal addresses, the state 0A for listening, and the socket's inode.
 */
import { readdir, readFile, readlink } from 'node:fs/promises';
import { isDescendant } from '../launchers/processes';
import { isWithin } from '../sandbox/project-rules';

const TABLES = { v4: '/proc/net/tcp', v6: '/proc/net/tcp6' } as const;

const LISTENING = '0A';

interface Listening {
  port: number;
  inode: string;
}

/** null where this system does not tell. */
export async function listens({ host, port }: { host: string; port: number }): Promise<boolean | null> {
  const tables = await listening(host.includes(':') ? [TABLES.v6] : [TABLES.v4, TABLES.v6]);
  return tables?.some((each) => each.port === port) ?? null;
}

/**
 * Whether what listens on the port was started in `folder` or below it, and by nobody of ours: code in an image can write
 * a port into a file, but cannot make another program's server work in that folder. false where this system does not tell.
 */
export async function isServedFrom(folder: string, port: number): Promise<boolean> {
  const sockets = (await listening([TABLES.v4, TABLES.v6])) ?? [];
  const links = new Set(sockets.filter((each) => each.port === port).map(({ inode }) => `socket:[${inode}]`));
  if (links.size === 0) return false;
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const place = await readlink(`/proc/${pid}/cwd`).catch(() => null);
    if (place === null || !isWithin(place, folder, process.platform)) continue;
    if ((await holdsOne(pid, links)) && !(await isDescendant(Number(pid), process.pid))) return true;
  }
  return false;
}

async function holdsOne(pid: string, links: ReadonlySet<string>): Promise<boolean> {
  const descriptors = await readdir(`/proc/${pid}/fd`).catch(() => []);
  for (const each of descriptors) {
    const link = await readlink(`/proc/${pid}/fd/${each}`).catch(() => '');
    if (links.has(link)) return true;
  }
  return false;
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
    .map(([, local = '', , , , , , , , inode = '']) => ({
      port: Number.parseInt(local.split(':')[1] ?? '', 16),
      inode,
    }));
}
