/** What an image is confined to: the one description from which bubblewrap, Landlock, sandbox-exec and the file tools are told. */

export interface Confinement {
  /** Folders the image may read and write: its project and its session's own. */
  writable: readonly string[];
  /** Files and folders the image may read beyond what its engine needs. */
  readable: readonly string[];
  /** Those of both that a person put on the allow-list, where Common Lisps look for systems as in their libraries. */
  added?: readonly string[];
  /** What is there inside of those and stays out of reach, unless one of them names it or something in it. */
  hidden?: readonly HiddenPlace[];
  /** Read, and never made or replaced, whether it is there or not: what runs outside as soon as it is there. */
  kept?: readonly string[];
  /** Whether the image may open network connections. */
  network: boolean;
}

export interface HiddenPlace {
  path: string;
  isFolder: boolean;
}

/** Libraries and tools are found through these; none of them tells who uses this machine. */
const ALWAYS = ['/etc/alternatives', '/etc/ld.so.cache', '/etc/localtime'];

/** Names and certificates, of use with a network only. */
const WITH_NETWORK = [
  '/etc/hosts',
  '/etc/nsswitch.conf',
  '/etc/resolv.conf',
  '/etc/ssl',
  '/etc/ca-certificates',
];

/** What every confined program reads of /etc on Linux. Not all of it is on every machine. */
export function systemFiles(network: boolean): string[] {
  return network ? [...ALWAYS, ...WITH_NETWORK] : ALWAYS;
}
