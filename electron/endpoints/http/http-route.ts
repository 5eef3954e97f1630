/** Which part of the harbor an HTTP request is for. Pure. */
import { type LisplyRoute, lisplyPath } from '../lisply/lisply-route';

/** `profile` null: the one that is chosen for the client. */
export type Route =
  | { to: 'health' }
  | { to: 'mcp'; profile: string | null }
  | ({ to: 'lisply' } & LisplyRoute)
  | { to: 'preflight'; allow: string }
  | { to: 'nowhere'; message: string }
  | { to: 'wrong-method'; allow: string };

const MCP_METHODS = ['GET', 'POST', 'DELETE'];
const MCP_ALLOW = [...MCP_METHODS, 'OPTIONS'].join(', ');
const MCP_PATH = /^\/mcp(?:\/([a-z0-9-]+))?$/;

export interface RouteOptions {
  /** Those that exist. */
  profiles: readonly string[];
  /** Where Lisply's paths begin, without slashes around it. */
  lisplyPrefix: string;
}

/** @param target the request line's target, as sent */
export function routeOf(method: string, target: string, { profiles, lisplyPrefix }: RouteOptions): Route {
  const path = target.split('?', 1)[0] ?? '';
  if (path === '/health') return method === 'GET' ? { to: 'health' } : { to: 'wrong-method', allow: 'GET' };
  const lisply = lisplyPath(method, path, lisplyPrefix);
  if (lisply !== null) return lisply;
  const match = MCP_PATH.exec(path);
  if (match === null) return { to: 'nowhere', message: 'Not found. The MCP endpoint is /mcp.' };
  const profile = match[1] ?? null;
  if (profile !== null && !profiles.includes(profile)) {
    return { to: 'nowhere', message: `No profile ${profile}. There are: ${profiles.join(', ')}.` };
  }
  if (method === 'OPTIONS') return { to: 'preflight', allow: MCP_ALLOW };
  if (!MCP_METHODS.includes(method)) return { to: 'wrong-method', allow: MCP_ALLOW };
  return { to: 'mcp', profile };
}
