/** Servers that sessions can be attached to: Lisp images that somebody else started, on this computer. */
import { z } from 'zod';

/** The kind of a server is the name of the engine that speaks with it. */
export const ServerKind = z.enum(['swank', 'nrepl', 'lisply']);
export type ServerKind = z.infer<typeof ServerKind>;

/** `localhost` is another name of 127.0.0.1 here, so that a server has one address. */
const Host = z
  .string()
  .min(1)
  .max(253)
  .overwrite((host) => (host.toLowerCase() === 'localhost' ? '127.0.0.1' : host));

export const ServerAddress = z.object({
  kind: ServerKind,
  host: Host.default('127.0.0.1'),
  port: z.int().min(1).max(65_535),
  /** The file in which the server leaves its port, where it was found by that; it may name another port later. */
  portFile: z.string().optional(),
  /** Where the paths of a Lisply backend begin, without slashes around it; absent: lisply. */
  prefix: z
    .string()
    .regex(/^[\w.~-]+(?:\/[\w.~-]+)*$/)
    .optional(),
});
export type ServerAddress = z.output<typeof ServerAddress>;

export function isLoopback(host: string): boolean {
  return /^127(?:\.\d{1,3}){3}$/.test(host) || host === '::1';
}

/** `127.0.0.1:4005`, `[::1]:4005`. */
export function addressText({ host, port }: { host: string; port: number }): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

export function isSameServer(one: ServerAddress, other: ServerAddress): boolean {
  return one.kind === other.kind && one.host === other.host && one.port === other.port;
}
