/** Entry of `lisp-harbor <command>`, for terminals and scripts. */
import { runToolCommand } from './command-line/calls/run-tool-command';
import { isToolCommand } from './command-line/calls/tool-commands';
import { commandLine } from './host/command-line';

/**
 * Loads the other commands on demand, because agents wait for the start of each command that calls a tool.
 */
async function runOther(words: readonly string[]): Promise<number> {
  const { runCommand } = await import('./command-line/run-command');
  const { composeAgents, composeConnectAlone } = await import('./harbor/compose-connect');
  return runCommand(words, (folder, { project }) => ({
    connectAlone: () => composeConnectAlone(folder),
    agents: composeAgents(folder, project),
  }));
}

const words = commandLine(process);
process.exitCode = isToolCommand(words[0]) ? await runToolCommand(words, process) : await runOther(words);
