/**
 * Where an attached server is by now. Its port file may name another port since, because it was started again, and because
 * any code that may write in the project can write there: it is followed to a server that was started in the project.
 */
import type { ServerAddress } from '../../contract/server';
import { namedBy } from '../../sandbox/port-files';
import { isServedFrom } from '../listening-ports';

/** @throws HarborError `engine_unavailable` when the file holds no port */
export async function currentAddress(server: ServerAddress): Promise<ServerAddress> {
  const named = server.portFile === undefined ? null : await namedBy(server.portFile);
  if (named === null || named.port === server.port) return server;
  const { project, port } = named;
  return (await isServedFrom(project, port)) ? { ...server, port } : server;
}
