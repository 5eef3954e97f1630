/** The harbor's end of `lisp-harbor repl`: a terminal whose lines and output go over the local socket. */
import type { Socket } from 'node:net';
import { FromRepl, type ToRepl } from '../../contract/local-socket';
import { exactJson } from '../../host/bounded-json';
import { LineReader } from '../../host/line-reader';
import type { Terminal } from '../terminal';

/** Of one line that is typed, as JSON. */
const MAX_LINE_BYTES = 16 * 1024 * 1024;

/**
 * Serves until the socket is closed; settles when the terminal has ended as well.
 * @param openTerminal its argument takes what is printed
 * @throws HarborError why there is no session; the socket is then still open
 */
export async function serveRepl(
  socket: Socket,
  openTerminal: (show: (text: string) => void) => Promise<Terminal>,
): Promise<void> {
  const closed = new Promise((resolve) => socket.once('close', resolve));
  const terminal = await openTerminal((text) => show(socket, text));
  void terminal.gone.then(() => socket.end());
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

/** What is no message comes from no program of ours; the connection ends. */
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
