/**
 * `clients list | add NAME | remove NAME`: shows and changes other programs' MCP configurations. `clients profile NAME
 * [PROFILE]` chooses what a client is served that names no profile itself.
 */
import { HarborError } from '../contract/errors';
import { ConnectView } from '../contract/model';
import type { DataFolder } from '../host/data-folder';
import { holdDataFolder } from '../host/lock';
import { makeDataFolder } from '../host/make-data-folder';
import { RunningHarbor } from '../host/running-harbor';
import { saying } from './saying';
import type { CommandDependencies, Subcommand } from './subcommand';

const USAGE =
  'Usage: clients list | clients add NAME | clients remove NAME | clients profile NAME [PROFILE]   [--data DIR]\n' +
  'Without PROFILE the client is served the harbor’s own.';

/** How many words each action takes, itself included. */
const WORDS: Readonly<Record<string, readonly number[]>> = {
  list: [1],
  add: [2],
  remove: [2],
  profile: [2, 3],
};

export const clients: Subcommand = {
  usage: 'list | add NAME | remove NAME | profile NAME [PROFILE]   [--data DIR]',
  about:
    'the MCP configurations of other programs, and the profile that each client is served: without PROFILE the harbor’s own',
  positionals: 3,
  run: (dependencies) => saying(answer(dependencies), dependencies),
};

async function answer(dependencies: CommandDependencies): Promise<string> {
  const [action = '', name = '', profile = null] = dependencies.positionals;
  const takes = Object.hasOwn(WORDS, action) ? WORDS[action] : [];
  if (!takes?.includes(dependencies.positionals.length)) throw new HarborError('bad_arguments', USAGE);
  if (action === 'profile') return chooseProfile(dependencies.folder, name, profile);
  if (action === 'list') return listText(ConnectView.array().parse(await ask(dependencies, 'list')));
  return viewText(ConnectView.parse(await ask(dependencies, action === 'add' ? 'add' : 'remove', name)));
}

/** The harbor that runs knows which profiles there are, and tells the client's open conversations. */
async function chooseProfile(folder: DataFolder, client: string, profile: string | null): Promise<string> {
  const running = RunningHarbor.of(folder);
  if (!running)
    throw new HarborError('bad_arguments', 'No Lisp Harbor runs here; start it, and choose then.');
  return `${client} is served ${String(await running.command('clients-profile', { client, profile }))}.`;
}

/** The holder of the data folder writes; where nobody holds it, this command does for as long as it takes. */
async function ask(
  { folder, connect }: CommandDependencies,
  action: 'list' | 'add' | 'remove',
  name = '',
): Promise<unknown> {
  const running = RunningHarbor.of(folder);
  if (running) return running.command(`clients-${action}`, { name });
  makeDataFolder(folder);
  const lock = holdDataFolder(folder, 'command');
  try {
    return await connect[action](name);
  } finally {
    lock.release();
  }
}

function listText(views: ConnectView[]): string {
  return views
    .map(
      ({ name, state, file, detail }) =>
        `${name.padEnd(16)}${state.padEnd(12)}${file}\n${' '.repeat(28)}${detail}`,
    )
    .join('\n');
}

function viewText({ title, state, file, detail, afterwards }: ConnectView): string {
  return [`${title}: ${state} (${file})`, detail, state === 'connected' ? afterwards : '']
    .filter(Boolean)
    .join('\n');
}
