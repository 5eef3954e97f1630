/** Serves SLIME or SLY on a port: exchanges its messages with Swank or Slynk in the image of a session. */

import type { Socket } from 'node:net';
import { type Duplex, pipeline } from 'node:stream';
import { asFailure } from '../../contract/errors';
import type { EmacsProtocol } from '../../contract/harbor-status';
import { noteTexts } from '../../contract/note';
import { addListeners } from '../../host/listeners';
import type { Log } from '../../host/log';
import { HEADER } from '../../host/swank-framing';
import type { EditorHost, ServedSession } from './editor-ports';
import { type RecordedEvaluation, type RecordedRequest, SwankEvaluations } from './swank-evaluations';
import { EditorConversation, messageForEmacs } from './swank-frames';

/** A session whose image has the server of the port. */
export interface SwankServedSession extends ServedSession {
  /** @throws HarborError as `start` */
  connect(): Promise<Duplex & { evaluates(request: number, evaluation: number): void }>;
  /** Opens a row of the history for an evaluation of Emacs. */
  record(request: RecordedRequest): RecordedEvaluation;
}

interface SwankOptions {
  protocol: EmacsProtocol;
  /** Returns why the user lets no client evaluate now; null if they may. */
  refusal: () => string | null;
  log: Log;
  helloTimeoutMs?: number;
}

/** Time in which a new connection must send its first message, in milliseconds. Emacs sends it at once. */
const HELLO_TIMEOUT_MS = 10_000;

type Editor = 'SLIME' | 'SLY';

const EDITORS: Readonly<Record<EmacsProtocol, Editor>> = { swank: 'SLIME', slynk: 'SLY' };

/** Sent to the editor whose server is another. */
function otherEditor(caller: Editor, protocol: EmacsProtocol): string {
  const wanted = protocol === 'swank' ? 'slynk' : 'swank';
  return (
    `this is ${caller}, but this port is for ${EDITORS[protocol]}. Open one for ${caller}: lisp-harbor editor ` +
    `--protocol ${wanted}, or Attach editor… in the window.`
  );
}

/** Serves a connection of SLIME or SLY. */
export async function serveSwank(
  socket: Socket,
  host: EditorHost<SwankServedSession>,
  joined: (version: string | null) => void,
  { protocol, refusal, log, helloTimeoutMs = HELLO_TIMEOUT_MS }: SwankOptions,
): Promise<void> {
  const caller = await callerAt(socket, helloTimeoutMs);
  if (caller === 'foreign') return void socket.destroy();
  if (caller !== EDITORS[protocol]) return refuse(socket, otherEditor(caller, protocol));
  try {
    const session = await host.get();
    const image = await session.connect();
    joined(await session.start());
    for (const text of noteTexts(session.notes)) socket.write(messageForEmacs(text));
    join(
      socket,
      image,
      refusal,
      new SwankEvaluations((request, id) => {
        const row = session.record(request);
        image.evaluates(id, row.id);
        return row;
      }),
    );
  } catch (error) {
    const { code, message } = asFailure(error);
    if (code === 'internal') log.error(`A connection of ${caller} failed`, error);
    refuse(socket, message);
  }
}

/** Shows in Emacs why the connection is refused. */
function refuse(socket: Socket, reason: string): void {
  // Input is read to its end. Otherwise a connection reset could overtake the message.
  socket.resume().end(messageForEmacs(reason));
}

/** Exchanges messages in both directions. When one side closes, the other is closed too. */
function join(
  socket: Socket,
  image: Duplex,
  refusal: () => string | null,
  evaluations: SwankEvaluations,
): void {
  const { requests, replies } = new EditorConversation({
    refusal,
    evaluations,
    toEditor: (frame) => void socket.write(frame),
    toImage: (frame) => void image.write(frame),
  });
  const closed = (): void => {
    socket.destroy();
    image.destroy();
    evaluations.end();
  };
  pipeline(socket, requests, image, closed);
  pipeline(image, replies, socket, closed);
}

// Recognizes the client of a connection by its first bytes. A message begins with its length in six hex digits
// and is a list; HTTP and TLS, which a web page could send, are not. Messages of SLY look the same as those of
// SLIME but call Slynk. Emacs sends the contents of ~/.slime-secret (or ~/.sly-secret) first
// if the file exists; our images do not require it, so it is dropped. An image is connected only after the
// first message is complete, so that a partial message cannot occupy a connection.

/** Maximum length of the secret, one line of a file, in bytes. */
const LONGEST_SECRET = 1024;

/**
 * Maximum length of the first message, in bytes. Emacs’s requests the connection info and has some hundred
 * bytes.
 */
const LONGEST_MESSAGE = 64 * 1024;

const PARENTHESIS = '('.charCodeAt(0);

/** Beginning of SLY’s first message. */
const SLY = '(:emacs-rex (slynk:';

/** Classification of the first bytes; `undecided` if more are needed. */
export type Opening = 'undecided' | 'foreign' | { editor: Editor; secretBytes: number };

/** `secretBytes` is the number of bytes before the first message. Pure. */
export function openingOf(bytes: Buffer): Opening {
  const first = packetOf(bytes);
  if (typeof first === 'string') return first === 'message' ? editorOf(bytes, 0) : first;
  const second = packetOf(bytes.subarray(first.end));
  if (second === 'message') return editorOf(bytes, first.end);
  return typeof second === 'string' ? second : 'foreign';
}

/** Returns the editor that sent the message at `start`. */
function editorOf(bytes: Buffer, start: number): Opening {
  const length = lengthIn(bytes.subarray(start));
  if (length > LONGEST_MESSAGE) return 'foreign';
  if (bytes.length < start + HEADER + length) return 'undecided';
  const text = bytes.toString('latin1', start + HEADER, start + HEADER + SLY.length).toLowerCase();
  return { editor: text === SLY ? 'SLY' : 'SLIME', secretBytes: start };
}

/** Returns the kind of the first packet: a message, or possibly a secret, which ends at `end`. */
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

/** Resolves with the client. Its first message remains in the socket, which is paused. */
function callerAt(socket: Socket, timeoutMs: number): Promise<Editor | 'foreign'> {
  return new Promise((resolve) => {
    let bytes = Buffer.alloc(0);
    const settle = (caller: Editor | 'foreign'): void => {
      clearTimeout(timer);
      removeListeners();
      socket.pause();
      resolve(caller);
    };
    const onData = (chunk: Buffer): void => {
      bytes = Buffer.concat([bytes, chunk]);
      const opening = openingOf(bytes);
      if (opening === 'undecided') return;
      settle(typeof opening === 'string' ? opening : opening.editor);
      if (typeof opening !== 'string') socket.unshift(bytes.subarray(opening.secretBytes));
    };
    const onClose = (): void => settle('foreign');
    const timer = setTimeout(onClose, timeoutMs);
    const removeListeners = addListeners(socket, (on) => {
      on('data', onData);
      on('close', onClose);
    });
  });
}
