/** `agent list | diff NAME | install NAME | remove NAME`: skills and hooks for the agents of other programs. */
import type { AgentView } from '../connect/agent/agent-install';
import { HarborError } from '../contract/errors';
import { makeDataFolder } from '../host/make-data-folder';
import { saying } from './saying';
import type { CommandDependencies, Subcommand } from './subcommand';

const USAGE = 'list | diff NAME | install NAME | remove NAME   [--project DIR] [--data DIR]';

export const agent: Subcommand = {
  usage: USAGE,
  about:
    'a skill, and a hook that checks the parentheses of each Lisp file an agent edits, for claude-code, codex and opencode; with --project for that folder alone',
  positionals: 2,
  takes: ['data', 'project'],
  here: { project: 'for that folder alone' },
  run: (dependencies) => saying(answer(dependencies), dependencies),
};

async function answer({ agents, folder, positionals: [action, name] }: CommandDependencies): Promise<string> {
  if (action === 'list' && name === undefined) return (await agents.list()).map(viewText).join('\n');
  if (name === undefined) throw new HarborError('bad_arguments', `Usage: agent ${USAGE}`);
  switch (action) {
    case 'diff':
      return (await agents.diff(name)) || 'Nothing would change.';
    case 'install': {
      makeDataFolder(folder);
      const view = await agents.install(name);
      return `${viewText(view)}\n${view.afterwards}`;
    }
    case 'remove':
      return viewText(await agents.remove(name));
    default:
      throw new HarborError('bad_arguments', `Usage: agent ${USAGE}`);
  }
}

function viewText({ name, pieces }: AgentView): string {
  return pieces
    .map(({ kind, state, file }) => `${name.padEnd(13)}${kind.padEnd(8)}${state.padEnd(11)}${file}`)
    .join('\n');
}
