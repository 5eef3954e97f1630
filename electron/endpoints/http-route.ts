/** Which part of the harbor an HTTP request is for. Pure. */
import { type LisplyRoute, lisplyPath } from './lisply/route';

export type Route =
  | { to: 'health' }
  | { to: 'mcp'; profile: string }
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
  /** That of `/mcp`. */
  defaultProfile: string;
  /** Where Lisply's paths begin, without slashes around it. */
  lisplyPrefix: string;
}

/** @param target the request line's target, as sent */
export function routeOf(
  method: string,
  target: string,
  { profiles, defaultProfile, lisplyPrefix }: RouteOptions,
): Route {
  const path = target.split('?', 1)[0] ?? '';
  if (path === '/health') return method === 'GET' ? { to: 'health' } : { to: 'wrong-method', allow: 'GET' };
  const lisply = lisplyPath(method, path, lisplyPrefix);
  if (lisply !== null) return lisply;
  const match = MCP_PATH.exec(path);
  if (match === null) return { to: 'nowhere', message: 'Not found. The MCP endpoint is /mcp.' };
  const profile = match[1] ?? defaultProfile;
  if (!profiles.includes(profile)) {
    return { to: 'nowhere', message: `No profile ${profile}. There are: ${profiles.join(', ')}.` };
  }
  if (method === 'OPTIONS') return { to: 'preflight', allow: MCP_ALLOW };
  if (!MCP_METHODS.includes(method)) return { to: 'wrong-method', allow: MCP_ALLOW };
  return { to: 'mcp', profile };
}
