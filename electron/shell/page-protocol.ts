/**
 * Serves the window's files under app://bundle with a strict security policy, and denies navigation,
 * permissions and devices to every page.
 */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { app, protocol, type Session, shell, type WebContents } from 'electron';
import { APP_SCHEME, bundleFile, externalAddress, isAppUrl, mayUse } from './origin';

/** Allows inline styles, because xterm's DOM renderer writes them, but no inline scripts. */
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

/** Registers app:// as a standard, secure scheme. Electron accepts this only before the app is ready. */
export function registerAppScheme(): void {
  protocol.registerSchemesAsPrivileged([
    {
      scheme: APP_SCHEME,
      privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true },
    },
  ]);
}

/** Content types by file extension. */
const TYPES = new Map([
  ['.html', 'text/html; charset=utf-8'],
  ['.js', 'text/javascript; charset=utf-8'],
  ['.css', 'text/css; charset=utf-8'],
  ['.woff', 'font/woff'],
  ['.woff2', 'font/woff2'],
]);

/** Serves app://bundle/… from `folder` (absolute, normalized). Call once, after the app is ready. */
export function serveBundle(folder: string): void {
  // Loads Node's response code now, while Chromium starts the renderer process.
  setImmediate(() => new Response(null));
  protocol.handle(APP_SCHEME, async (request) => {
    const file = bundleFile(folder, request.url);
    if (file === null || request.method !== 'GET') return new Response('forbidden', { status: 403 });
    try {
      // Reads from the archive that was opened at start, even if an update has replaced it. Electron's own
      // fetch would open the new one.
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

/**
 * Blocks navigation, new windows and webviews in all web contents created from now on. Call before the first
 * window.
 */
export function guardNavigation(): void {
  app.on('web-contents-created', (_event, contents) => guardContents(contents));
}

function guardContents(contents: WebContents): void {
  contents.on('will-navigate', (event) => {
    if (!isAppUrl(event.url)) event.preventDefault();
  });
  contents.on('will-frame-navigate', (event) => {
    if (!isAppUrl(event.url)) event.preventDefault();
  });
  contents.on('will-redirect', (event) => {
    if (!isAppUrl(event.url)) event.preventDefault();
  });
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(({ url }) => {
    const address = externalAddress(url);
    if (address !== null) void shell.openExternal(address);
    return { action: 'deny' };
  });
}

/**
 * Denies all permissions and devices except those that origin.ts allows. Electron both checks and requests
 * permissions.
 */
export function guardPermissions(session: Session): void {
  session.setPermissionRequestHandler((_contents, permission, answer, details) => {
    answer(mayUse(permission, details.requestingUrl));
  });
  session.setPermissionCheckHandler((_contents, permission, origin) => mayUse(permission, origin));
  session.setDevicePermissionHandler(() => false);
}
