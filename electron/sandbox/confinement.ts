/** The confinement of an image: the common input of bubblewrap, Landlock, sandbox-exec and the file tools. */

import path from 'node:path';

export interface Confinement {
  /** Folders the image may read and write: its project and its session's folders. */
  writable: readonly string[];
  /** Files and folders the image may read, in addition to what its engine needs. */
  readable: readonly string[];
  /** The folders of both lists that the user added; Common Lisp implementations search them for systems. */
  added?: readonly string[];
  /**
   * Existing paths inside these folders that stay inaccessible, unless an entry names them or something in
   * them.
   */
  hidden?: readonly HiddenPath[];
  /**
   * Paths that may be read but never created or replaced, whether they exist or not, because programs outside
   * the sandbox execute them.
   */
  protectedPaths?: readonly string[];
  /** Whether the image may open network connections. */
  network: boolean;
  /** Ports of this computer's loopback that the user named for images with a network. */
  loopbackPorts?: readonly number[];
}

/** The gap of images whose network is that of this computer, as a phrase for the user. */
export const SHARED_NETWORK_GAP =
  'with network access, code also reaches the servers that listen on this computer';

export interface HiddenPath {
  path: string;
  isFolder: boolean;
}

/** Files in /etc that libraries and tools need; none identifies the user. */
const ALWAYS = ['/etc/alternatives', '/etc/ld.so.cache', '/etc/localtime'];

export const RESOLVER_FILE = '/etc/resolv.conf';

/** Host names and certificates; useful with a network only. */
const WITH_NETWORK = ['/etc/hosts', '/etc/nsswitch.conf', RESOLVER_FILE, '/etc/ssl', '/etc/ca-certificates'];

/** Returns the files in /etc that every confined program may read on Linux. Some may not exist. */
export function systemFiles(network: boolean): string[] {
  return network ? [...ALWAYS, ...WITH_NETWORK] : ALWAYS;
}

/**
 * Returns the folders that must not be renamed: those between a writable folder and a closed path inside it.
 * Closed paths are found by name, so after a rename of an ancestor the next image could reach them. Pure.
 * @param closed paths that are read-only or hidden
 * @param writable folders that may be written
 */
export function pinnedAncestors(closed: readonly string[], writable: readonly string[]): string[] {
  const tops = new Set(writable.map((at) => path.posix.resolve('/', at)));
  const closedPaths = new Set(closed);
  return [...new Set(closed.flatMap((at) => between(path.posix.dirname(at), tops, closedPaths)))].sort();
}

/**
 * Returns the ancestors up to the topmost writable folder; a nested writable folder can be moved along with
 * its parent.
 */
function between(from: string, tops: ReadonlySet<string>, closedPaths: ReadonlySet<string>): string[] {
  const above: string[] = [];
  const pinned: string[] = [];
  for (let at = from; at !== path.posix.dirname(at); at = path.posix.dirname(at)) {
    if (tops.has(at)) pinned.push(...above.splice(0));
    else if (closedPaths.has(at)) above.length = 0;
    else above.push(at);
  }
  return pinned;
}
