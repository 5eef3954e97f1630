/** A port of this computer that nobody uses at the moment. */
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Below those that systems give to whoever asks for any, such as a test that runs at the same time: from 32768 on. */
const PORTS = { from: 20_000, to: 32_000 };

const given = new Set<number>();

/** Answers each port once. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(PORTS.from, PORTS.to);
    if (given.has(port) || !(await isFree(port))) continue;
    given.add(port);
    return port;
  }
}

function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
