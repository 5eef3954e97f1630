/** What discovery tells of an engine that is attached to and never started: the servers that a person named. */
import type { EngineFound } from '../contract/model';
import type { ServerAddress } from '../contract/server';
import { listens } from './listening';

/**
 * Whether each listens is told without connecting: many serve one connection only.
 * @param how the way to attach
 * @param named of whatever kind
 */
export async function attachable(
  engine: ServerAddress['kind'],
  how: string,
  named: readonly ServerAddress[],
): Promise<EngineFound> {
  const own = named.filter(({ kind }) => kind === engine);
  const servers = own.map(async (server) => ({ ...server, listens: await listens(server) }));
  return { engine, available: false, reason: how, servers: await Promise.all(servers) };
}
