/**
 * `clients list | add NAME | remove NAME`: shows and changes other programs' MCP configurations from the command line.
 * `clients profile NAME PROFILE` chooses what a client is served that names no profile itself.
 */

import { asFailure, HarborError } from '../contract/errors';
import type { ConnectView } from '../contract/model';
import { connectHere } from '../harbor/compose-connect';
import { type DataFolder, dataFolder, makeDataFolder } from '../host/data-folder';
import { holdDataFolder } from '../host/lock';
import { commandLine, parseOptions } from '../host/options';
import { RunningHarbor } from '../host/running-harbor';

const USAGE =
  'Usage: clients list | clients add NAME | clients remove NAME | clients profile NAME [PROFILE]   [--data DIR]\n' +
  'Without PROFILE the client is served the harbor’s own.';

async function clients([action, ...rest]: string[]): Promise<string> {
  const name = action === 'list' ? undefined : rest.shift();
  const profile = action === 'profile' && !rest[0]?.startsWith('-') ? rest.shift() : undefined;
  const folder = dataFolder(parseOptions(rest).data);
  if (action === 'profile' && isName(name)) return chooseProfile(folder, name, profile ?? null);
  if (action === 'list') return listText((await ask(folder, 'clients-list')) as ConnectView[]);
  if ((action !== 'add' && action !== 'remove') || !isName(name))
    throw new HarborError('bad_arguments', USAGE);
  return viewText((await ask(folder, `clients-${action}`, name)) as ConnectView);
}

function isName(text: string | undefined): text is string {
  return text !== undefined && !text.startsWith('-');
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
  folder: DataFolder,
  command: `clients-${'list' | 'add' | 'remove'}`,
  name = '',
): Promise<unknown> {
  const running = RunningHarbor.of(folder);
  if (running) return running.command(command, { name });
  makeDataFolder(folder);
  const lock = holdDataFolder(folder, 'command');
  try {
    const connect = connectHere(folder);
    if (command === 'clients-list') return await connect.list();
    return await (command === 'clients-add' ? connect.add(name) : connect.remove(name));
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

try {
  process.stdout.write(`${await clients(commandLine(process))}\n`);
} catch (error) {
  const { code, message } = asFailure(error);
  process.stderr.write(`lisp-harbor: ${message}\n`);
  process.exitCode = code === 'bad_arguments' || code === 'client_unknown' ? 2 : 1;
}
