/** A Lisply backend that answers with what was recorded, in the words of Lisply's document, and with nothing else. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { LISPLY_TOOLS } from '../electron/compat/lisply/lisply-backend';

/** Of requests to evaluate, by what was asked. */
const EVALUATIONS = new Map<string, unknown>([
  ['{"code":"(+ 1 2 3)"}', { success: true, result: '6', stdout: '' }],
  [
    '{"code":"(package-name *package*)","package":"gdl-user"}',
    { success: true, result: '"GDL-USER"', stdout: '' },
  ],
]);

/** @returns its URL, and every request that it got: method, path and body */
export async function recordedLisply(): Promise<{ url: string; asked: string[] }> {
  const asked: string[] = [];
  const server = createServer(async (request, response) => {
    const body = await text(request);
    asked.push(`${request.method} ${request.url} ${body}`.trim());
    const answer = answerTo(request.url ?? '', body);
    response.writeHead(answer === undefined ? 404 : 200, { 'content-type': typeOf(answer) });
    response.end(typeof answer === 'string' ? answer : JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/lisply`, asked };
}

function answerTo(path: string, body: string): unknown {
  if (path === '/lisply/ping-lisp') return 'pong';
  if (path === '/lisply/tools/list') return LISPLY_TOOLS;
  return path === '/lisply/lisp-eval' ? EVALUATIONS.get(body) : undefined;
}

function typeOf(answer: unknown): string {
  return typeof answer === 'string' ? 'text/plain' : 'application/json';
}
