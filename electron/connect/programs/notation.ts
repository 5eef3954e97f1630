/** The notations in which programs write down how an MCP server is reached. Pure. */
import type { Entry } from '../formats/config-format';
import type { StdioCommand } from '../stdio-command';
import type { HttpAddress } from '../transport';

export interface Notation {
  stdio(command: StdioCommand): Entry;
  /** Absent where the program starts its servers and knows no address. */
  http?(address: HttpAddress): Entry;
}

/** `{command, args, env}`: Claude Desktop's, which most programs took over. */
export function commandArgsEnv({ command, args, env }: StdioCommand): Entry {
  return { command, args: [...args], ...given('env', env) };
}

/** The same with its transport spelled out, as `claude mcp add` writes it. */
export function typedCommandArgsEnv(command: StdioCommand): Entry {
  return { type: 'stdio', ...commandArgsEnv(command) };
}

/** `{url, headers}` */
export function urlHeaders(address: HttpAddress): Entry {
  return { url: address.url, headers: authorization(address) };
}

/** The same with its transport spelled out. */
export function typedUrlHeaders(address: HttpAddress): Entry {
  return { type: 'http', ...urlHeaders(address) };
}

export function authorization({ token }: HttpAddress): Record<string, string> {
  return { Authorization: `Bearer ${token}` };
}

/** Under that key, where there is something to say. */
export function given(key: string, env: StdioCommand['env']): Entry {
  return Object.keys(env).length === 0 ? {} : { [key]: { ...env } };
}

/** Cursor's, which follows Claude Desktop's and has addresses beside: `std` below. */
export const std: Notation = { stdio: commandArgsEnv, http: urlHeaders };
/** Where each entry says its transport. */
export const typed: Notation = { stdio: typedCommandArgsEnv, http: typedUrlHeaders };
