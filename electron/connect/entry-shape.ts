/** The notations in which programs write down how to start an MCP server. Pure. */
import type { StdioCommand } from './stdio-command';

/** How a command is written as an entry, and read back; `read` answers undefined for anything else. */
export interface EntryShape {
  write(command: StdioCommand): Readonly<Record<string, unknown>>;
  read(entry: unknown): StdioCommand | undefined;
}

/** `{command, args, env}`: Claude Desktop's notation, which most programs took over. */
export const commandArgsEnv: EntryShape = {
  write: ({ command, args, env }) => ({
    command,
    args: [...args],
    ...(Object.keys(env).length === 0 ? {} : { env: { ...env } }),
  }),
  read(entry) {
    if (!isRecord(entry)) return undefined;
    const { command, args = [], env = {} } = entry;
    if (typeof command !== 'string' || !isStrings(args) || !isRecord(env)) return undefined;
    const settings = Object.entries(env).filter(
      (pair): pair is [string, string] => typeof pair[1] === 'string',
    );
    return { command, args, env: Object.fromEntries(settings) };
  },
};

/** The same with its transport spelled out, as `claude mcp add` writes it. */
export const typedCommandArgsEnv: EntryShape = {
  write: (command) => ({ type: 'stdio', ...commandArgsEnv.write(command) }),
  read: commandArgsEnv.read,
};

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isStrings(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
