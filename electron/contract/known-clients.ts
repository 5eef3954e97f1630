/** Clients that the harbor knows: the keys of those that no person named. */
import { HarborError } from './errors';
import { requirePlainName } from './plain-name';

// Keys of clients that come without a token, or with one that nobody asked for. No other program may go by them.

/** The person at the window. */
export const PERSON_KEY = 'you';
/** Our own commands, through the local socket. */
export const COMMAND_LINE_KEY = 'command-line';
/** Whoever comes over stdio and gives no name. */
export const STDIO_KEY = 'stdio';
/** The token that `serve` makes at each start. */
export const SERVE_KEY = 'serve';
/** Whoever comes over Swank, which knows no client. */
export const SWANK_KEY = 'swank';
/** Whoever comes over the ACL2 Bridge, which knows no client. */
export const BRIDGE_KEY = 'bridge';
/** Whoever comes over the port of Lisply, which knows no client. */
export const LISPLY_KEY = 'lisply';
/** Who tries tools by hand, in the window. */
export const DIAGNOSTICS_KEY = 'diagnostics';
/** How the keys begin of those who come over TCP: each connection is a client of its own. */
export const TCP_KEYS = 'tcp-';
/** Whoever comes over telnet with the code of that time. */
export const TELNET_KEY = 'telnet';

/** Whether nobody can come back as that client once its connection is gone: what it opened ends with the harbor. */
export function comesOnce(key: string): boolean {
  return key === BRIDGE_KEY || key === TELNET_KEY || key.startsWith(TCP_KEYS);
}

const RESERVED: readonly string[] = [
  PERSON_KEY,
  COMMAND_LINE_KEY,
  STDIO_KEY,
  SERVE_KEY,
  SWANK_KEY,
  BRIDGE_KEY,
  LISPLY_KEY,
  TELNET_KEY,
];

/**
 * For a key that a program or a person chooses. Keys that only look like a reserved one are refused as well.
 * @throws HarborError `bad_arguments` when the key stands for somebody else, or looks like another
 */
export function refuseReservedKey(key: string): void {
  const wanted = key.trim().toLowerCase();
  if (RESERVED.includes(wanted) || wanted.startsWith(TCP_KEYS))
    throw new HarborError('bad_arguments', `${key} stands for somebody else already. Choose another name.`);
  requirePlainName(key);
}
