/** The other end of `lisp-harbor repl`: stdin and stdout of this process, joined to a session of the harbor. Plain Node. */
import type { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { HarborError } from '../../contract/errors';
import { type FromRepl, LocalReply, type ReplHello, ToRepl } from '../../contract/local-socket';
import { type Line, LineReader } from '../../host/line-reader';

const MAX_LINE_BYTES = 64 * 1024 * 1024;

export interface ReplStreams {
  stdin: Readable;
  stdout: Writable;
  /** Calls it for each Ctrl+C; answers what stops that. */
  onInterrupt: (interrupt: () => void) => () => void;
}

/**
 * Carries lines and output until stdin ends and what it brought is answered, or the session ends.
 * @param socket connected to the harbor
 * @throws HarborError why there is no session
 */
export async function runRepl(
  socket: Socket,
  hello: ReplHello,
  { stdin, stdout, onInterrupt }: ReplStreams,
): Promise<void> {
  const tell = (message: FromRepl): void => {
    if (socket.writable) socket.write(`${JSON.stringify(message)}\n`);
  };
  const shown = showUntilClosed(socket, stdout);
  socket.write(`${JSON.stringify(hello)}\n`);
  const typed = new LineReader(MAX_LINE_BYTES);
  const send = (lines: Iterable<Line>): void => {
    for (const line of lines) if ('text' in line) tell({ line: line.text });
  };
  stdin.on('data', (chunk: Buffer) => send(typed.read(chunk)));
  stdin.once('end', () => {
    send(typed.rest());
    tell({ end: true });
  });
  const stop = onInterrupt(() => tell({ interrupt: true }));
  try {
    await shown;
  } finally {
    stop();
    stdin.destroy();
    socket.destroy();
  }
}

/** Resolves when the harbor has closed the connection; rejects with why it refused. */
function showUntilClosed(socket: Socket, stdout: Writable): Promise<void> {
  const answers = new LineReader(MAX_LINE_BYTES);
  return new Promise((resolve, reject) => {
    socket.on('error', ({ message }) => reject(new HarborError('internal', message)));
    socket.once('close', () => resolve());
    socket.on('data', (chunk) => {
      for (const line of answers.read(chunk)) {
        const output = 'text' in line ? outputOf(line.text) : '';
        if (typeof output === 'string') stdout.write(output);
        else reject(output);
      }
    });
  });
}

/** What to show, or why there is no session. */
function outputOf(text: string): string | HarborError {
  const message: unknown = JSON.parse(text);
  const shown = ToRepl.safeParse(message);
  if (shown.success) return shown.data.output;
  const refused = LocalReply.safeParse(message);
  if (refused.success && !refused.data.ok) return new HarborError(refused.data.code, refused.data.message);
  return new HarborError('internal', 'The harbor answered with something else. Is it another version?');
}
