/**
 * Who comes to a Swank port. The protocol knows no client, so what can be told is whether it is SLIME at all: its
 * messages begin with their length, six hex digits, and are lists. HTTP and TLS, behind which a web page may be, do
 * not. A person who keeps a ~/.slime-secret has Emacs send that first; no image of ours asks for it, so it is dropped.
 */
import type { Socket } from 'node:net';

const HEADER = 6;

/** Bytes of the longest secret, which is a line of a file. */
const LONGEST_SECRET = 1024;

const PARENTHESIS = '('.charCodeAt(0);

/** What the first bytes are: `undecided` until there are more of them. */
export type Opening = 'undecided' | 'foreign' | { kind: 'slime'; secretBytes: number };

/** `secretBytes` counts what comes before the first message. Pure. */
export function openingOf(bytes: Buffer): Opening {
  const first = packetOf(bytes);
  if (first === 'message') return { kind: 'slime', secretBytes: 0 };
  if (typeof first === 'string') return first;
  const second = packetOf(bytes.subarray(first.end));
  if (second === 'message') return { kind: 'slime', secretBytes: first.end };
  return typeof second === 'string' ? second : 'foreign';
}

/** What the bytes begin with: a message, or perhaps a secret, which goes to `end`. */
function packetOf(bytes: Buffer): 'undecided' | 'foreign' | 'message' | { end: number } {
  const header = bytes.toString('latin1', 0, HEADER);
  if (!/^[0-9a-f]*$/i.test(header)) return 'foreign';
  if (bytes.length <= HEADER) return 'undecided';
  if (bytes[HEADER] === PARENTHESIS) return 'message';
  const length = Number.parseInt(header, 16);
  return length > LONGEST_SECRET ? 'foreign' : { end: HEADER + length };
}

/** Whether SLIME speaks. Its first message is then left in the socket, which is paused. */
export function isSlime(socket: Socket, timeoutMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    let bytes = Buffer.alloc(0);
    const settle = (slime: boolean): void => {
      clearTimeout(timer);
      socket.off('data', onData);
      socket.off('close', onClose);
      socket.pause();
      resolve(slime);
    };
    const onData = (chunk: Buffer): void => {
      bytes = Buffer.concat([bytes, chunk]);
      const opening = openingOf(bytes);
      if (opening === 'undecided') return;
      settle(opening !== 'foreign');
      if (opening !== 'foreign') socket.unshift(bytes.subarray(opening.secretBytes));
    };
    const onClose = (): void => settle(false);
    const timer = setTimeout(onClose, timeoutMs);
    socket.on('data', onData);
    socket.once('close', onClose);
  });
}
