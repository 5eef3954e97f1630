/** One call of a tool over the harbor's local socket, from the hello to the answer. Plain Node. */
import type { Socket } from 'node:net';
import type {
  LocalReply,
  Printed,
  ToolAnswer,
  ToolCall,
  ToolHello,
  ToToolCaller,
} from '../../contract/local-socket';
import { LineReader } from '../../host/line-reader';

const MAX_LINE_BYTES = 64 * 1024 * 1024;

export interface Exchange {
  hello: ToolHello;
  call: ToolCall;
  /** Gets what is printed, where the hello asks for it live. */
  show: (text: string, stream: Printed) => void;
  /** The harbor has taken the call, which may now run for long. */
  onTaken: () => void;
}

const LOST =
  'The harbor ended before it had answered. The code may have run: "lisp-harbor call history" shows what did.';
const OTHER_VERSION =
  'The harbor that runs is another version. "lisp-harbor stop" ends it; its sessions fall asleep and come back.';

/** @throws Error why there is no answer */
export function exchange(socket: Socket, { hello, call, show, onTaken }: Exchange): Promise<ToolAnswer> {
  const lines = new LineReader(MAX_LINE_BYTES);
  const answered = new Promise<ToolAnswer>((resolve, reject) => {
    const take = (text: string): void => {
      const message = messageIn(text);
      if (message === null) reject(new Error(OTHER_VERSION));
      else if ('output' in message) show(message.output, message.stream);
      else if ('taken' in message) onTaken();
      else if (message.ok) resolve(message.value as ToolAnswer);
      else reject(refusal(message.message));
    };
    socket.on('data', (chunk) => {
      for (const line of lines.read(chunk)) if ('text' in line) take(line.text);
    });
    socket.on('error', () => {
      // `close` follows, and that is what counts.
    });
    socket.once('close', () => reject(new Error(LOST)));
  });
  socket.write(`${JSON.stringify(hello)}\n${JSON.stringify(call)}\n`);
  return answered.finally(() => socket.destroy());
}

/** Asks the harbor to interrupt what the call has begun; the answer tells of that. */
export function interrupt(socket: Socket): void {
  if (socket.writable) socket.write('{"interrupt":true}\n');
}

function messageIn(text: string): ToToolCaller | LocalReply | null {
  try {
    return JSON.parse(text) as ToToolCaller | LocalReply;
  } catch {
    return null;
  }
}

/** A harbor that does not know this hello is older, or newer. */
function refusal(message: string): Error {
  return new Error(message.startsWith('The first line is no hello') ? OTHER_VERSION : message);
}
