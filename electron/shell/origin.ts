/**
 * Who may call, which address may be visited, what the page may use: the shell's decisions, without Electron.
 * answer.ts, bundle-file.ts and web-guards.ts act on them. Pure.
 */

/** The only origin that exists in the window, in parts: Node's URL says `null` for the origin of such a scheme. */
export const APP_SCHEME = 'app';
export const APP_HOST = 'bundle';
export const APP_URL = `${APP_SCHEME}://${APP_HOST}/`;

/** Sites that the window's own texts link to. A link to any other stays dead. */
export const LINKED_HOSTS: readonly string[] = [
  'clojure.org',
  'github.com',
  'modelcontextprotocol.io',
  'www.cs.utexas.edu',
  'www.sbcl.org',
];

/** What the decision needs of Electron's WebFrameMain. */
export interface CallingFrame {
  readonly url: string;
  readonly parent: unknown;
}

/** True for an address inside the app's own bundle. */
export function isAppUrl(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const url = new URL(address);
  return url.protocol === `${APP_SCHEME}:` && url.host === APP_HOST && url.username === '';
}

/** True for the main frame of the app's own page. A frame that went away meanwhile is null and may not call. */
export function isTrustedFrame(frame: CallingFrame | null): boolean {
  return frame !== null && frame.parent === null && isAppUrl(frame.url);
}

/**
 * The address to hand to the system's browser, serialised anew so that nothing but a URL reaches it. null when it may not
 * be opened: only https on its usual port, on a host of the list, without credentials may.
 */
export function externalAddress(address: string, hosts: readonly string[] = LINKED_HOSTS): string | null {
  if (!URL.canParse(address)) return null;
  const url = new URL(address);
  const plain = url.protocol === 'https:' && url.port === '' && url.username === '' && url.password === '';
  return plain && hosts.includes(url.hostname) ? url.href : null;
}

/** The page copies addresses and tokens; it needs no other permission. */
export function mayUse(permission: string, origin: string): boolean {
  return permission === 'clipboard-sanitized-write' && isAppUrl(origin);
}
