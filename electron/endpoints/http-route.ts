/** Which part of the harbor an HTTP request is for. Pure. */

export type Route =
  | { to: 'health' }
  | { to: 'mcp'; profile: string }
  | { to: 'preflight' }
  | { to: 'nowhere'; message: string }
  | { to: 'wrong-method'; allow: string };

const MCP_METHODS = ['GET', 'POST', 'DELETE'];
const MCP_PATH = /^\/mcp(?:\/([a-z0-9-]+))?$/;

/**
 * @param target the request line's target, as sent
 * @param profiles those that exist
 * @param defaultProfile that of `/mcp`
 */
export function routeOf(
  method: string,
  target: string,
  profiles: readonly string[],
  defaultProfile: string,
): Route {
  const path = target.split('?', 1)[0] ?? '';
  if (path === '/health') return method === 'GET' ? { to: 'health' } : { to: 'wrong-method', allow: 'GET' };
  const match = MCP_PATH.exec(path);
  if (match === null) return { to: 'nowhere', message: 'Not found. The MCP endpoint is /mcp.' };
  const profile = match[1] ?? defaultProfile;
  if (!profiles.includes(profile)) {
    return { to: 'nowhere', message: `No profile ${profile}. There are: ${profiles.join(', ')}.` };
  }
  if (method === 'OPTIONS') return { to: 'preflight' };
  if (!MCP_METHODS.includes(method))
    return { to: 'wrong-method', allow: [...MCP_METHODS, 'OPTIONS'].join(', ') };
  return { to: 'mcp', profile };
}
