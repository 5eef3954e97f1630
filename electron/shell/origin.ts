/**
 * Security decisions of the shell: which frame may call, which address may be opened, which permission is
 * granted. Pure; answer.ts and page-protocol.ts enforce them.
 */
import path from 'node:path';

/** The only origin in the window, by its parts: Node's URL returns `null` as the origin of such a scheme. */
export const APP_SCHEME = 'app';
const APP_HOST = 'bundle';
export const APP_URL = `${APP_SCHEME}://${APP_HOST}/`;

/** Sites that the window links to. Links to other sites do not open. */
const LINKED_HOSTS: readonly string[] = [
  'clojure.org',
  'github.com',
  'modelcontextprotocol.io',
  'www.cs.utexas.edu',
  'www.sbcl.org',
];

/** The part of Electron's WebFrameMain that the decision needs. */
export interface CallingFrame {
  readonly url: string;
  readonly parent: unknown;
}

/** Reports whether the address is in the app's bundle. */
export function isAppUrl(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const url = new URL(address);
  return url.protocol === `${APP_SCHEME}:` && url.host === APP_HOST && url.username === '';
}

/** Reports whether the frame is the main frame of the app's page. A closed frame is null and may not call. */
export function isTrustedFrame(frame: CallingFrame | null): boolean {
  return frame !== null && frame.parent === null && isAppUrl(frame.url);
}

/**
 * Returns the address to open in the system's browser, serialized again so that only a URL is passed on.
 * Returns null unless it is https on the default port, on a listed host, and without credentials.
 */
export function externalAddress(address: string, hosts: readonly string[] = LINKED_HOSTS): string | null {
  if (!URL.canParse(address)) return null;
  const url = new URL(address);
  const plain = url.protocol === 'https:' && url.port === '' && url.username === '' && url.password === '';
  return plain && hosts.includes(url.hostname) ? url.href : null;
}

/** Reports whether the page has the permission: only copying to the clipboard. */
export function mayUse(permission: string, origin: string): boolean {
  return permission === 'clipboard-sanitized-write' && isAppUrl(origin);
}

/**
 * Returns the absolute path of the file in `folder` that an app:// address names, or null for anything else.
 */
export function bundleFile(folder: string, address: string): string | null {
  if (!isAppUrl(address)) return null;
  const name = decoded(new URL(address).pathname);
  if (name === null || /[\0\\]|\/$/.test(name)) return null;
  const file = path.resolve(folder, `.${name}`);
  return file.startsWith(folder + path.sep) ? file : null;
}

function decoded(pathname: string): string | null {
  try {
    return decodeURIComponent(pathname);
  } catch {
    return null;
  }
}
