/**
 * Who comes to a Swank port. The protocol knows no client, so what can be told is whether it is SLIME at all: its
 * messages begin with their length, six hex digits, and are lists. HTTP and TLS, behind which a web page may be, do
 * not. SLY's look the same and call another server, Slynk, from the first one on. A person who keeps a ~/.slime-secret
 * (or ~/.sly-secret) has Emacs send that first; no image of ours asks for it, so it is dropped. An image gets no connection
 * before the first message is there, or whoever says half of it would keep one.
 */
import type { Socket } from 'node:net';

const HEADER = 6;

/** Bytes of the longest secret, which is a line of a file. */
const LONGEST_SECRET = 1024;

/** Of the longest first message: SLIME's asks for the connection's facts, in some hundred bytes. */
const LONGEST_MESSAGE = 64 * 1024;

const PARENTHESIS = '('.charCodeAt(0);

/** How SLY begins; the rest of the message is no matter. */
const SLY = '(:emacs-rex (slynk:';

/** What the first bytes are: `undecided` until there are more of them. */
export type Opening = 'undecided' | 'foreign' | 'sly' | { kind: 'slime'; secretBytes: number };

/** `secretBytes` counts what comes before the first message. Pure. */
export function openingOf(bytes: Buffer): Opening {
  const first = packetOf(bytes);
  if (typeof first === 'string') return first === 'message' ? editorOf(bytes, 0) : first;
  const second = packetOf(bytes.subarray(first.end));
  if (second === 'message') return editorOf(bytes, first.end);
  return typeof second === 'string' ? second : 'foreign';
}

/** Whose the message is that begins at `start`. */
function editorOf(bytes: Buffer, start: number): Opening {
  const text = bytes.toString('latin1', start + HEADER, start + HEADER + SLY.length).toLowerCase();
  if (text === SLY) return 'sly';
  const length = lengthIn(bytes.subarray(start));
  if (length > LONGEST_MESSAGE) return 'foreign';
  return bytes.length < start + HEADER + length ? 'undecided' : { kind: 'slime', secretBytes: start };
}

/** What the bytes begin with: a message, or perhaps a secret, which goes to `end`. */
function packetOf(bytes: Buffer): 'undecided' | 'foreign' | 'message' | { end: number } {
  const header = bytes.toString('latin1', 0, HEADER);
  if (!/^[0-9a-f]*$/i.test(header)) return 'foreign';
  if (bytes.length <= HEADER) return 'undecided';
  if (bytes[HEADER] === PARENTHESIS) return 'message';
  const length = lengthIn(bytes);
  return length > LONGEST_SECRET ? 'foreign' : { end: HEADER + length };
}

function lengthIn(header: Buffer): number {
  return Number.parseInt(header.toString('latin1', 0, HEADER), 16);
}

/** Who speaks. SLIME's first message is then left in the socket, which is paused. */
export function callerAt(socket: Socket, timeoutMs: number): Promise<'slime' | 'sly' | 'foreign'> {
  return new Promise((resolve) => {
    let bytes = Buffer.alloc(0);
    const settle = (caller: 'slime' | 'sly' | 'foreign'): void => {
      clearTimeout(timer);
      socket.off('data', onData);
      socket.off('close', onClose);
      socket.pause();
      resolve(caller);
    };
    const onData = (chunk: Buffer): void => {
      bytes = Buffer.concat([bytes, chunk]);
      const opening = openingOf(bytes);
      if (opening === 'undecided') return;
      settle(typeof opening === 'string' ? opening : opening.kind);
      if (typeof opening !== 'string') socket.unshift(bytes.subarray(opening.secretBytes));
    };
    const onClose = (): void => settle('foreign');
    const timer = setTimeout(onClose, timeoutMs);
    socket.on('data', onData);
    socket.once('close', onClose);
  });
}
