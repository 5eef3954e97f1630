/** `lisp-harbor editor`: opens a port on a session for a person's editor, and says how to connect. */

import { z } from 'zod';
import { HarborError } from '../contract/errors';
import { EditorPortView, EditorProtocol } from '../contract/harbor-status';
import { flag, value } from '../host/command-line';
import { reachHarbor } from '../host/harbor-reach';
import { reachOptions } from '../host/hidden-start';
import { portNumber } from '../host/options';
import type { RunningHarbor } from '../host/running-harbor';
import { type CommandDependencies, runningHarbor, type Subcommand } from './command-list';

export const editor: Subcommand = {
  usage: '[SESSION] [--protocol P] [--port N] [--port-file] [--close]',
  about:
    'opens a port on a session for your editor and prints its address as JSON; the session stays when the editor disconnects',
  positionals: 1,
  takes: ['data', 'project', 'engine'],
  here: {
    project: 'the project whose session is used (default: that of the working directory)',
    engine: 'only sessions of this engine; also the engine of a new one',
  },
  own: {
    protocol: value('P', `${EditorProtocol.options.join(' or ')} (default: the usual one of the engine)`),
    port: value('N', 'port to open (default: any free one)'),
    'port-file': flag('writes .nrepl-port into the project, and removes it when the port closes'),
    close: flag('closes the port of the session'),
  },
  more: `Without SESSION, the session of the project that was used last, or a new one. Any
program on this computer can connect while the port is open.`,
  async run(dependencies) {
    const { own, print } = dependencies;
    if (own.close) return close(dependencies);
    const opened = EditorPortView.parse(
      await (await harborFor(dependencies)).command('editor-open', args(dependencies)),
    );
    const { protocol, host, port, session } = opened;
    print(JSON.stringify({ protocol, host, port, session }));
    for (const { editor, enter } of opened.connect) process.stderr.write(`${editor}: ${enter}\n`);
    return 0;
  },
};

async function close(dependencies: CommandDependencies): Promise<number> {
  const { folder, print } = dependencies;
  const answer = await runningHarbor(folder).command('editor-close', args(dependencies));
  const closed = z.array(EditorProtocol).parse(answer);
  if (closed.length === 0) throw new HarborError('bad_arguments', 'The session has no open editor port.');
  print(`Closed: ${closed.join(', ')}`);
  return 0;
}

/** @throws HarborError `bad_arguments` */
function args({ options: { project, engine }, own, positionals: [session] }: CommandDependencies) {
  const protocol = EditorProtocol.safeParse(own.protocol);
  if (own.protocol !== undefined && !protocol.success)
    throw new HarborError(
      'bad_arguments',
      `--protocol ${own.protocol} is not one of ${EditorProtocol.options.join(', ')}.`,
    );
  return {
    ...{ session, engine, protocol: protocol.data },
    project: project ?? process.env.INIT_CWD ?? process.cwd(),
    port: own.port === undefined ? undefined : portNumber(String(own.port), '--port'),
    portFile: own['port-file'],
  };
}

/** Returns the running harbor; starts a hidden one if none runs. */
async function harborFor({ folder, options }: CommandDependencies): Promise<RunningHarbor> {
  (await reachHarbor(reachOptions(folder, options))).destroy();
  return runningHarbor(folder);
}
