/** The notations in which programs write down how to start an MCP server. Pure. */
import { z } from 'zod';
import type { StdioCommand } from './stdio-command';

/** How a command is written as an entry, and read back; `read` answers undefined for anything else. */
export interface EntryShape {
  write(command: StdioCommand): Readonly<Record<string, unknown>>;
  read(entry: unknown): StdioCommand | undefined;
}

const CommandEntry = z.object({
  command: z.string(),
  args: z.array(z.string()).default([]),
  env: z.record(z.string(), z.unknown()).default({}),
});

/** `{command, args, env}`: Claude Desktop's notation, which most programs took over. */
export const commandArgsEnv: EntryShape = {
  write: ({ command, args, env }) => ({
    command,
    args: [...args],
    ...(Object.keys(env).length === 0 ? {} : { env: { ...env } }),
  }),
  read(entry) {
    const { data } = CommandEntry.safeParse(entry);
    if (!data) return undefined;
    const settings = Object.entries(data.env).filter(
      (pair): pair is [string, string] => typeof pair[1] === 'string',
    );
    return { command: data.command, args: data.args, env: Object.fromEntries(settings) };
  },
};

/** The same with its transport spelled out, as `claude mcp add` writes it. */
export const typedCommandArgsEnv: EntryShape = {
  write: (command) => ({ type: 'stdio', ...commandArgsEnv.write(command) }),
  read: commandArgsEnv.read,
};
