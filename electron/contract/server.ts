/** Servers that sessions attach to: Lisp images on this computer, and Lisply backends in containers. */
import { z } from 'zod';

/** Kind of a server: the name of the engine for it. */
export const ServerKind = z.enum(['swank', 'slynk', 'nrepl', 'lisply']);
export type ServerKind = z.infer<typeof ServerKind>;

/** `localhost` is converted to 127.0.0.1, so that a server has one address. */
const Host = z
  .string()
  .min(1)
  .max(253)
  .overwrite((host) => (host.toLowerCase() === 'localhost' ? '127.0.0.1' : host));

export const ServerAddress = z.object({
  kind: ServerKind,
  host: Host.default('127.0.0.1'),
  port: z.int().min(1).max(65_535),
  /** The file with the server's port, if it was found through it. The port may change. */
  portFile: z.string().optional(),
  /** Path prefix of a Lisply backend, without slashes at its ends; absent: lisply. */
  prefix: z
    .string()
    .regex(/^[\w.~-]+(?:\/[\w.~-]+)*$/)
    .optional(),
});
export type ServerAddress = z.output<typeof ServerAddress>;

/** Loopback addresses in the order in which `localhost` is tried. */
export const LOCALHOST = ['127.0.0.1', '::1'] as const;

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

/** Finds the owner of a listening port on 127.0.0.1: a process started in the folder, none, or unknown. */
export type FindPortOwner = (port: number, folder: string) => Promise<'folder' | 'nobody' | 'unknown'>;

/** A folder of this computer, and its path in the container. */
export const Mount = z.object({
  from: z
    .string()
    .startsWith('/')
    .regex(/^[^:]+$/),
  to: z
    .string()
    .startsWith('/')
    .regex(/^[^:]+$/),
  /** Whether code in the container may change it. */
  write: z.boolean().default(false),
});
export type Mount = z.output<typeof Mount>;

/** Services of a backend in addition to HTTP, which is required (Lisply Backend Requirements). */
export const ContainerService = z.enum(['https', 'swank', 'telnet']);
export type ContainerService = z.infer<typeof ContainerService>;

export const Container = z.object({
  /** As for `docker run`, such as genworks/gendl:latest. */
  image: z
    .string()
    .max(300)
    .regex(/^[a-z0-9][\w.:/@-]*$/i, 'Not the name of a container image.'),
  mounts: z.array(Mount).default([]),
  services: z.array(ContainerService).default([]),
  /** Path prefix of the backend, without slashes at its ends; absent: lisply. */
  prefix: z
    .string()
    .regex(/^[\w.~-]+(?:\/[\w.~-]+)*$/)
    .optional(),
});
export type Container = z.output<typeof Container>;

/** A request to a Lisply backend. */
export interface BackendRequest {
  method: string;
  /** With the query, relative to the origin of the backend. */
  path: string;
  headers: Readonly<Record<string, string>>;
  body?: string | undefined;
}

export interface BackendResponse {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: string;
}
