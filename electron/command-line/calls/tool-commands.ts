/** The commands that call tools of the harbor, for agents and people at a shell. */
import { callTool, images } from './call-command';
import { evaluate, job, load, restart, test } from './evaluation-commands';
import { describe, edit, find } from './source-commands';
import type { ToolCommand } from './tool-command';

export const TOOL_COMMANDS: ReadonlyMap<string, ToolCommand> = new Map(
  Object.entries({
    eval: evaluate,
    load,
    test,
    find,
    describe,
    edit,
    job,
    restart,
    images,
    call: callTool,
  }),
);

export function isToolCommand(word: string | undefined): word is string {
  return word !== undefined && TOOL_COMMANDS.has(word);
}
