/**
 * Whether a server listens, told without connecting: a server that serves one connection would be used up by ours. Linux
 * tells it in /proc/net/tcp (proc_pid_net(5)): hexadecimal addresses, and the state 0A for listening.
 */
import { readFile } from 'node:fs/promises';

const TABLES = { v4: '/proc/net/tcp', v6: '/proc/net/tcp6' } as const;

const LISTENING = '0A';

/** null where this system does not tell. */
export async function listens({ host, port }: { host: string; port: number }): Promise<boolean | null> {
  const tables = host.includes(':') ? [TABLES.v6] : [TABLES.v4, TABLES.v6];
  const texts = await Promise.all(tables.map((file) => readFile(file, 'utf8').catch(() => null)));
  const known = texts.filter((text) => text !== null);
  if (known.length === 0) return null;
  return known.some((text) => listeningPorts(text).has(port));
}

/** The ports of one table on which something listens. */
function listeningPorts(table: string): Set<number> {
  const ports = new Set<number>();
  for (const line of table.split('\n').slice(1)) {
    const [, local = '', , state] = line.trim().split(/\s+/);
    if (state === LISTENING) ports.add(Number.parseInt(local.split(':')[1] ?? '', 16));
  }
  return ports;
}
