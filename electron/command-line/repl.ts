/** `repl`: a listener of the harbor on this terminal, or on a pipe. */

import { runRepl } from '../endpoints/local/repl-client';
import { reachHarbor } from '../host/harbor-reach';
import { reachOptions } from '../host/hidden-start';
import { OPTIONS, type OptionName } from '../host/option-table';
import { bridgeSecret } from '../host/running-harbor';
import type { Subcommand } from './subcommand';

/** A harbor that it has to start gets them; these mean nothing to it. */
const NOT_PASSED_ON: ReadonlySet<string> = new Set([
  'port',
  'profile',
  'client',
  'issue-token',
  'hidden',
  'help',
]);
const reaching = (Object.keys(OPTIONS) as OptionName[]).filter((name) => !NOT_PASSED_ON.has(name));

export const repl: Subcommand = {
  usage: '[--engine NAME] [--session NAME] [--project DIR] [--data DIR]',
  about:
    'a REPL on this terminal, or on a pipe: Ctrl+C interrupts, Ctrl+D ends it. Its session ends with it, but for one with a name',
  positionals: 0,
  takes: reaching,
  async run({ folder, options }) {
    const { engine, session } = options;
    const { signal } = new AbortController();
    const socket = await reachHarbor(reachOptions(folder, options), {
      needed: () => true,
      patienceMs: 0,
      signal,
    });
    const hello = {
      secret: await bridgeSecret(folder),
      kind: 'repl' as const,
      project: options.project ?? process.env.INIT_CWD ?? process.cwd(),
      ...(engine && { engine }),
      ...(session && { session }),
    };
    const { stdin, stdout } = process;
    await runRepl(socket, hello, { stdin, stdout, onInterrupt });
    // Whoever typed Ctrl+D is still on the line of the prompt.
    if (stdin.isTTY) stdout.write('\n');
    return 0;
  },
};

function onInterrupt(interrupt: () => void): () => void {
  process.on('SIGINT', interrupt);
  return () => void process.off('SIGINT', interrupt);
}
