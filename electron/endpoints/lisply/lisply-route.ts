/**
 * The paths of Lisply (Lisply Backend Requirements, "HTTP Server Capability"), below a prefix: three endpoints, which
 * speak with the caller's default session, or with the one that stands before them in the path. Pure.
 */

/** By path: what is asked, and the one method of it. */
const ENDPOINTS = {
  'ping-lisp': { asked: 'ping', method: 'GET' },
  'lisp-eval': { asked: 'eval', method: 'POST' },
  'tools/list': { asked: 'tools', method: 'GET' },
} as const;

type Endpoint = keyof typeof ENDPOINTS;

/** `session` is a handle; absent: the caller's default session. */
export interface LisplyRoute {
  asked: (typeof ENDPOINTS)[Endpoint]['asked'];
  session?: string;
}

export type LisplyPath =
  | ({ to: 'lisply' } & LisplyRoute)
  | { to: 'preflight'; allow: string }
  | { to: 'wrong-method'; allow: string }
  | { to: 'nowhere'; message: string };

const PATH = /^(?:([a-z0-9-]+)\/)?(ping-lisp|lisp-eval|tools\/list)$/;

/** @param prefix without slashes around it @returns null for a path that is not below `prefix` */
export function lisplyPath(method: string, path: string, prefix: string): LisplyPath | null {
  if (!path.startsWith(`/${prefix}/`)) return null;
  const [, session, name] = PATH.exec(path.slice(prefix.length + 2)) ?? [];
  if (!isEndpoint(name)) return { to: 'nowhere', message: nowhere(prefix) };
  const { asked, method: allowed } = ENDPOINTS[name];
  const allow = `${allowed}, OPTIONS`;
  if (method === 'OPTIONS') return { to: 'preflight', allow };
  if (method !== allowed) return { to: 'wrong-method', allow };
  return { to: 'lisply', asked, ...(session === undefined ? {} : { session }) };
}

/** What is told of a path that Lisply has not. */
export function nowhere(prefix: string): string {
  const paths = Object.keys(ENDPOINTS).map((name) => `/${prefix}/${name}`);
  return `Not found. Lisply has ${paths.join(', ')}, and the same below /${prefix}/<session>/.`;
}

function isEndpoint(name: string | undefined): name is Endpoint {
  return name !== undefined && Object.hasOwn(ENDPOINTS, name);
}
