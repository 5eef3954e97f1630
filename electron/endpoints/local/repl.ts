/** Both sides of `lisp-harbor repl`, which carry a terminal over the local socket. */
import type { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { HarborError } from '../../contract/errors';
import { FromRepl, LocalReply, type ReplHello, ToRepl } from '../../contract/local-socket';
import { exactJson } from '../../host/json';
import { type Line, LineReader } from '../../host/line-reader';

/** A terminal of a session’s listener. */
export interface Terminal {
  /** Resolves when the session has ended. */
  readonly closed: Promise<void>;
  /** Submits a line. Resolves when it is evaluated or read by running code. */
  submit(line: string): Promise<void>;
  /** Interrupts what runs, with increasing force. At the prompt, discards an incomplete form. */
  interrupt(): Promise<void>;
  /** Resolves when nothing runs, or when running code waits for input that will not come. */
  drained(): Promise<void>;
  /** Interrupts what it runs and closes its own session. */
  end(): Promise<void>;
}

// The harbor side of `lisp-harbor repl`: a terminal whose lines and output pass through the local socket.

/** Maximum length of one typed line as JSON. */
const MAX_LINE_BYTES = 16 * 1024 * 1024;

/**
 * Serves until the socket closes. Resolves when the terminal is closed too.
 * @param openTerminal receives the function that prints output
 * @throws HarborError why there is no session; the socket is still open then
 */
export async function serveRepl(
  socket: Socket,
  openTerminal: (show: (text: string) => void) => Promise<Terminal>,
): Promise<void> {
  const closed = new Promise((resolve) => socket.once('close', resolve));
  const terminal = await openTerminal((text) => show(socket, text));
  void terminal.closed.then(() => socket.end());
  const lines = new LineReader(MAX_LINE_BYTES);
  socket.on('data', (chunk) => {
    for (const line of lines.read(chunk))
      if ('text' in line && !socket.destroyed) receive(line.text, terminal, socket);
  });
  socket.resume();
  await closed;
  await terminal.end();
}

function show(socket: Socket, output: string): void {
  if (output !== '' && socket.writable) socket.write(`${JSON.stringify({ output } satisfies ToRepl)}\n`);
}

/** Handles one message. An invalid one closes the connection. */
function receive(text: string, terminal: Terminal, socket: Socket): void {
  const message = parsed(text);
  if (message === null) socket.destroy();
  else if ('line' in message) void terminal.submit(message.line);
  else if ('interrupt' in message) void terminal.interrupt();
  else void terminal.drained().then(() => socket.end());
}

function parsed(text: string): FromRepl | null {
  try {
    return FromRepl.parse(exactJson(text));
  } catch {
    return null;
  }
}

// The client side of `lisp-harbor repl`: connects stdin and stdout of this process to a session of the
// harbor. It loads only Node modules.

const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

interface ReplStreams {
  stdin: Readable;
  stdout: Writable;
  /** Registers `interrupt` for Ctrl+C and returns a function that removes it. */
  onInterrupt: (interrupt: () => void) => () => void;
}

/**
 * Runs until stdin ends and its input is evaluated, or the session ends.
 * @param socket connected to the harbor
 * @throws HarborError why there is no session
 */
export async function runRepl(
  socket: Socket,
  hello: ReplHello,
  { stdin, stdout, onInterrupt }: ReplStreams,
): Promise<void> {
  const send = (message: FromRepl): void => {
    if (socket.writable) socket.write(`${JSON.stringify(message)}\n`);
  };
  const shown = showUntilClosed(socket, stdout);
  socket.write(`${JSON.stringify(hello)}\n`);
  const typed = new LineReader(MAX_ANSWER_BYTES);
  const sendLines = (lines: Iterable<Line>): void => {
    for (const line of lines) if ('text' in line) send({ line: line.text });
  };
  stdin.on('data', (chunk: Buffer) => sendLines(typed.read(chunk)));
  stdin.once('end', () => {
    sendLines(typed.rest());
    send({ end: true });
  });
  const stop = onInterrupt(() => send({ interrupt: true }));
  try {
    await shown;
  } finally {
    stop();
    stdin.destroy();
    socket.destroy();
  }
}

/** Resolves when the harbor closes the connection. Rejects if the harbor refuses it. */
function showUntilClosed(socket: Socket, stdout: Writable): Promise<void> {
  const answers = new LineReader(MAX_ANSWER_BYTES);
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

/** Returns the output to print, or the error if there is no session. */
function outputOf(text: string): string | HarborError {
  const message: unknown = exactJson(text);
  const shown = ToRepl.safeParse(message);
  if (shown.success) return shown.data.output;
  const refused = LocalReply.safeParse(message);
  if (refused.success && !refused.data.ok) return new HarborError(refused.data.code, refused.data.message);
  return new HarborError('internal', 'The harbor sent an unexpected reply. It may be another version.');
}
