/** Engines that are attached to and never started: what is told of the servers that a person named, and of their sandbox. */
import type { EngineFound, SandboxReport } from '../contract/model';
import type { ServerAddress } from '../contract/server';
import { listens } from './listening-ports';

/** Nothing of ours confines a server that goes on without us. */
export const ATTACHED: SandboxReport = {
  confined: false,
  launcher: 'attached',
  reason: 'this server was started by somebody else',
};

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
