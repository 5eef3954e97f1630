/** Serves the window's files under app://bundle, with the headers that keep the page to its own code. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { protocol } from 'electron';
import { bundleFile } from './bundle-file';
import { APP_SCHEME } from './origin';

/** Styles may be inline because xterm's DOM renderer writes its own; scripts may not. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "font-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** Makes app:// a standard, secure scheme. Electron accepts this only before the app is ready. */
export function registerAppScheme(): void {
  protocol.registerSchemesAsPrivileged([
    {
      scheme: APP_SCHEME,
      privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true },
    },
  ]);
}

/** By the ends of their names, what files of the bundle are. */
const TYPES = new Map([
  ['.html', 'text/html; charset=utf-8'],
  ['.js', 'text/javascript; charset=utf-8'],
  ['.css', 'text/css; charset=utf-8'],
  ['.woff', 'font/woff'],
  ['.woff2', 'font/woff2'],
]);

/** Answers app://bundle/… from `folder` (absolute, normalised). Call once, when the app is ready. */
export function serveBundle(folder: string): void {
  // Node loads what makes answers with the first one: while Chromium starts a process for the page, nobody waits for that.
  setImmediate(() => new Response(null));
  protocol.handle(APP_SCHEME, async (request) => {
    const file = bundleFile(folder, request.url);
    if (file === null || request.method !== 'GET') return new Response('forbidden', { status: 403 });
    try {
      // The archive that was there at the start, whatever has been put in its place: Electron's own fetch would open that.
      return answer(await readFile(file), 200, TYPES.get(path.extname(file)));
    } catch {
      return answer('not found', 404);
    }
  });
}

function answer(body: BodyInit, status: number, type = 'text/plain'): Response {
  const headers = {
    'Content-Type': type,
    'Content-Security-Policy': CONTENT_SECURITY_POLICY,
    'X-Content-Type-Options': 'nosniff',
  };
  return new Response(body, { status, headers });
}
