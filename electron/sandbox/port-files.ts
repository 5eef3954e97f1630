/** The files in which an nREPL server leaves its port, so that editors find it: a number, perhaps with blanks around it. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { HarborError } from '../contract/errors';
import type { ServerAddress } from '../contract/server';

/** Of Clojure's tools, of Joyride and of shadow-cljs, in the order in which they are looked for. */
const PORT_FILES = ['.nrepl-port', '.joyride/.nrepl-port', '.shadow-cljs/nrepl.port'];

/** The server that a port file of the project names; `portFile` says where it will be looked for again.
 * @throws HarborError `engine_unavailable` when there is no such file, or no port in it */
export async function projectServer(project: string): Promise<ServerAddress> {
  for (const portFile of portFilesOf(project)) {
    const text = await readFile(portFile, 'utf8').catch(() => null);
    if (text !== null) return { kind: 'nrepl', host: '127.0.0.1', port: portIn(portFile, text), portFile };
  }
  throw new HarborError(
    'engine_unavailable',
    `No nREPL server was found: ${project} has none of ${PORT_FILES.join(', ')}. Start one there, or give its port.`,
  );
}

/** Whether the address comes from a port file of the project: that names a server as a person does. */
export function isOfProject({ portFile }: ServerAddress, project: string): boolean {
  return portFile !== undefined && portFilesOf(project).includes(portFile);
}

/** Where the server is now: one that came from a port file may have been started again, on another port.
 * @throws HarborError `engine_unavailable` when the file holds no port */
export async function currentAddress(server: ServerAddress): Promise<ServerAddress> {
  const { portFile } = server;
  if (portFile === undefined) return server;
  const text = await readFile(portFile, 'utf8').catch(() => null);
  return text === null ? server : { ...server, port: portIn(portFile, text) };
}

function portFilesOf(project: string): string[] {
  return PORT_FILES.map((name) => path.join(project, name));
}

function portIn(file: string, text: string): number {
  const port = Number(text.trim());
  if (/^\d+$/.test(text.trim()) && port >= 1 && port <= 65_535) return port;
  throw new HarborError(
    'engine_unavailable',
    `${file} holds no port: ${JSON.stringify(text.trim().slice(0, 100))}.`,
  );
}
