/** `clients list | add NAME | remove NAME`: shows and changes other programs' MCP configurations from the command line. */
import { connectHere } from './connect-here';
import { asFailure, HarborError } from './contract/errors';
import type { ConnectView } from './contract/model';
import { type DataFolder, dataFolder, makeDataFolder } from './data-folder';
import { holdDataFolder } from './lock';
import { commandLine, parseOptions } from './options';
import { RunningHarbor } from './running-harbor';

const USAGE = 'Usage: clients list | clients add NAME | clients remove NAME   [--data DIR]';

async function clients([action, ...rest]: string[]): Promise<string> {
  const name = action === 'list' ? undefined : rest.shift();
  const folder = dataFolder(parseOptions(rest).data);
  if (action === 'list') return listText((await ask(folder, 'clients-list')) as ConnectView[]);
  if ((action !== 'add' && action !== 'remove') || name === undefined || name.startsWith('-'))
    throw new HarborError('bad_arguments', USAGE);
  return viewText((await ask(folder, `clients-${action}`, name)) as ConnectView);
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
