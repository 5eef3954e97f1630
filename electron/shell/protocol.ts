/** Serves the window's files under app://bundle, with the headers that keep the page to its own code. */
import { pathToFileURL } from 'node:url';
import { net, protocol } from 'electron';
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

/** Answers app://bundle/… from `folder` (absolute, normalised). Call once, when the app is ready. */
export function serveBundle(folder: string): void {
  protocol.handle(APP_SCHEME, async (request) => {
    const file = bundleFile(folder, request.url);
    if (file === null || request.method !== 'GET') return new Response('forbidden', { status: 403 });
    try {
      return withHeaders(await net.fetch(pathToFileURL(file).href));
    } catch {
      return withHeaders(new Response('not found', { status: 404 }));
    }
  });
}

function withHeaders(response: Response): Response {
  const headers = new Headers(response.headers);
  headers.set('Content-Security-Policy', CONTENT_SECURITY_POLICY);
  headers.set('X-Content-Type-Options', 'nosniff');
  return new Response(response.body, { status: response.status, headers });
}
