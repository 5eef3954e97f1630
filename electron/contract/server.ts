/** Servers on this computer that sessions can be attached to: Lisp images that somebody else started, and Lisply backends in containers. */
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

/** The names of this computer in the order in which `localhost` is tried. */
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

/** Whose server listens on a port of 127.0.0.1: one that was started in the folder, nobody's, or who knows whose. */
export type WhoListens = (port: number, folder: string) => Promise<'folder' | 'nobody' | 'unknown'>;

/** A folder of this computer, and where the container finds it. */
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

/** What a backend offers beside HTTP, over which it is spoken with (Lisply Backend Requirements). */
export const ContainerService = z.enum(['https', 'swank', 'telnet']);
export type ContainerService = z.infer<typeof ContainerService>;

export const Container = z.object({
  /** As `docker run` takes it, such as genworks/gendl:latest. */
  image: z
    .string()
    .max(300)
    .regex(/^[a-z0-9][\w.:/@-]*$/i, 'No name of a container image.'),
  mounts: z.array(Mount).default([]),
  services: z.array(ContainerService).default([]),
  /** Where the paths of the backend begin, without slashes around it; absent: lisply. */
  prefix: z
    .string()
    .regex(/^[\w.~-]+(?:\/[\w.~-]+)*$/)
    .optional(),
});
export type Container = z.output<typeof Container>;

/** A request to a Lisply backend. */
export interface BackendRequest {
  method: string;
  /** With its query, from the root of the backend's origin. */
  path: string;
  headers: Readonly<Record<string, string>>;
  body?: string | undefined;
}

export interface BackendResponse {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: string;
}
