/** Reads the first line of a local connection and leaves everything after it in the socket. */
import type { Socket } from 'node:net';
import { z } from 'zod';
import { HarborError } from '../../contract/errors';
import { Hello, MAX_HELLO_BYTES } from '../../contract/local-socket';
import { exactJson } from '../../host/bounded-json';

/** @throws HarborError `bad_arguments` when no sound hello comes within `timeoutMs`. */
export async function readHello(socket: Socket, timeoutMs: number): Promise<Hello> {
  const parsed = Hello.safeParse(parseJson(await firstLine(socket, timeoutMs)));
  if (parsed.success) return parsed.data;
  throw refused(`The first line is no hello: ${z.prettifyError(parsed.error)}`);
}

function parseJson(line: string): unknown {
  try {
    return exactJson(line);
  } catch {
    throw refused('The first line is not JSON.');
  }
}

function firstLine(socket: Socket, timeoutMs: number): Promise<string> {
  return new Promise((resolve, reject) => {
    let bytes = Buffer.alloc(0);
    const settle = (act: () => void): void => {
      clearTimeout(timer);
      socket.off('data', onData);
      socket.off('close', onClose);
      socket.pause();
      act();
    };
    const onData = (chunk: Buffer): void => {
      bytes = Buffer.concat([bytes, chunk]);
      const end = bytes.indexOf('\n');
      if (end < 0 && bytes.length <= MAX_HELLO_BYTES) return;
      settle(() => {
        if (end < 0 || end > MAX_HELLO_BYTES)
          return reject(refused(`A hello has at most ${MAX_HELLO_BYTES} bytes.`));
        if (end + 1 < bytes.length) socket.unshift(bytes.subarray(end + 1));
        resolve(bytes.toString('utf8', 0, end));
      });
    };
    const onClose = (): void => settle(() => reject(refused('The connection closed before its hello.')));
    const timer = setTimeout(
      () => settle(() => reject(refused(`No hello came within ${timeoutMs / 1000} s.`))),
      timeoutMs,
    );
    socket.on('data', onData);
    socket.once('close', onClose);
  });
}

function refused(message: string): HarborError {
  return new HarborError('bad_arguments', message);
}
