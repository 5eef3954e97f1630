/** The files in which an nREPL server leaves its port, so that editors find it: a number, perhaps with blanks around it. */
import path from 'node:path';
import { HarborError } from '../contract/errors';
import type { ServerAddress } from '../contract/server';
import { readWithin } from './file-within';

/** Of Clojure's tools, of Joyride and of shadow-cljs, in the order in which they are looked for. */
const PORT_FILES = ['.nrepl-port', '.joyride/.nrepl-port', '.shadow-cljs/nrepl.port'];

/** Bytes of a port file, blanks included. */
const MOST_BYTES = 1_000;

/** The server that a port file of the project names; `portFile` says where it will be looked for again.
 * @throws HarborError `engine_unavailable` when there is no such file, or no port in it; as `readWithin` */
export async function projectServer(project: string): Promise<ServerAddress> {
  for (const name of PORT_FILES) {
    const port = await portIn(project, name);
    if (port !== null) return { kind: 'nrepl', host: '127.0.0.1', port, portFile: path.join(project, name) };
  }
  throw new HarborError(
    'engine_unavailable',
    `No nREPL server was found: ${project} has none of ${PORT_FILES.join(', ')}. Start one there, or give its port.`,
  );
}

/** The folder whose port file this is. */
export function folderOf(portFile: string): string {
  return partsOf(portFile).folder;
}

/** The port that the file names by now; null where it is gone.
 * @throws HarborError as `projectServer` */
export function namedBy(portFile: string): Promise<number | null> {
  const { folder, name } = partsOf(portFile);
  return portIn(folder, name);
}

function partsOf(portFile: string): { folder: string; name: string } {
  // The longest that fits: the name of the first is the end of another.
  const name =
    PORT_FILES.findLast((each) => portFile.endsWith(path.join('/', each))) ?? path.basename(portFile);
  return { folder: portFile.slice(0, -name.length - 1), name };
}

/** What the file holds is never told: it may be anything that somebody has put there.
 * @returns null where there is no such file */
async function portIn(project: string, name: string): Promise<number | null> {
  const bytes = await readWithin(project, name, MOST_BYTES);
  if (bytes === null) return null;
  const text = bytes.toString('latin1').trim();
  const port = Number(text);
  if (/^\d+$/.test(text) && port >= 1 && port <= 65_535) return port;
  throw new HarborError(
    'engine_unavailable',
    `${path.join(project, name)} holds no port: ${bytes.length} bytes that are no number from 1 to 65535. Write the server's port there, or remove it.`,
  );
}
