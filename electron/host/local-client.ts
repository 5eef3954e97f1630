/** One command to the running harbor through its local socket, for our own command-line entries. */
import { connect } from 'node:net';
import { HarborError } from '../contract/errors';
import { LocalReply } from '../contract/local-socket';
import { LineReader } from './line-reader';

const MAX_REPLY_BYTES = 16 * 1024 * 1024;

/**
 * @param args anything JSON can carry; the harbor checks it
 * @throws HarborError what the command failed with; `internal` when nobody answers
 */
export async function command(
  socketPath: string,
  secret: string,
  name: string,
  args: unknown,
): Promise<unknown> {
  const hello = { secret, kind: 'command', command: name, arguments: args };
  const parsed = LocalReply.safeParse(JSON.parse(await exchange(socketPath, `${JSON.stringify(hello)}\n`)));
  if (!parsed.success)
    throw new HarborError('internal', 'The harbor answered with something else. Is it another version?');
  if (!parsed.data.ok) throw new HarborError(parsed.data.code, parsed.data.message);
  return parsed.data.value;
}

function exchange(socketPath: string, request: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const lines = new LineReader(MAX_REPLY_BYTES);
    const socket = connect(socketPath, () => socket.write(request));
    socket.on('data', (chunk) => {
      for (const line of lines.read(chunk)) {
        if ('text' in line) resolve(line.text);
        socket.destroy();
      }
    });
    socket.on('error', (error) =>
      reject(new HarborError('internal', `No harbor answers at ${socketPath}: ${error.message}`)),
    );
    socket.on('close', () =>
      reject(new HarborError('internal', 'The harbor closed the connection without an answer.')),
    );
  });
}
