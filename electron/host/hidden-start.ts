/** Finds the harbor of a data folder for this user's programs, or starts one without a window, as a process that outlives them. */
import { once } from 'node:events';
import { closeSync, fstatSync, openSync, readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { type ChildProcess, spawnAlone } from './child-process';
import type { DataFolder } from './data-folder';
import type { EndedStart, ReachOptions, StartedHarbor } from './harbor-reach';
import { lockHolder } from './lock-holder';
import { makeDataFolder } from './make-data-folder';
import type { Options } from './options';
import { places } from './places';
import { PORT_NAMES } from './port-options';

/** What starts say is kept until it is longer than this, in bytes. */
const LONGEST_LOG = 1024 * 1024;
const LINES_TOLD = 5;

/** What whoever starts the harbor asked for, and it has to know. */
export type PassedOn = Pick<
  Options,
  'unconfined' | 'debug' | 'ports' | 'bridgeSocket' | 'https' | 'lisplyPrefix' | 'books' | 'trustTags'
>;

/** Finds the harbor of the folder by its lock; where there is none, one is started with these options. */
export function reachOptions(folder: DataFolder, options: PassedOn): ReachOptions {
  return {
    socketPath: () => lockHolder(folder.lock)?.socket ?? folder.socket,
    isHeld: () => lockHolder(folder.lock) !== null,
    startHarbor: () => startHidden(folder, options),
  };
}

/**
 * Starts a harbor. What it says on stderr is appended to `start.log` in the log folder.
 * @throws HarborError `data_folder_unusable`; Error when the program cannot be started
 */
async function startHidden(folder: DataFolder, options: PassedOn): Promise<StartedHarbor> {
  makeDataFolder(folder);
  const log = openLog(path.join(folder.log, 'start.log'));
  const { command, args, env } = harborCommand();
  const child = spawnAlone(command, [...args, '--hidden', '--data', folder.root, ...switches(options)], {
    cwd: homedir(),
    env,
    detached: true,
    stdio: ['ignore', 'ignore', log.descriptor],
    windowsHide: true,
  });
  closeSync(log.descriptor);
  await once(child, 'spawn');
  child.unref();
  return { ended: () => endOf(child, log) };
}

function switches(options: PassedOn): string[] {
  const { unconfined, debug, ports, bridgeSocket, https, lisplyPrefix, books, trustTags } = options;
  const open = PORT_NAMES.filter((name) => ports[name] !== undefined);
  return [
    ...(unconfined ? ['--unconfined'] : []),
    ...(debug ? ['--debug'] : []),
    ...open.flatMap((name) => [`--${name}-port`, String(ports[name])]),
    ...(bridgeSocket === undefined ? [] : ['--bridge-socket', bridgeSocket]),
    ...(https ? ['--https-port', String(https.port), '--cert', https.cert, '--key', https.key] : []),
    ...(books === undefined ? [] : ['--books', books]),
    ...(trustTags.length === 0 ? [] : ['--trust-tags', trustTags.join(',')]),
    ...['--lisply-prefix', lisplyPrefix],
  ];
}

interface StartLog {
  file: string;
  descriptor: number;
  /** Where in the file this start begins, in bytes. */
  from: number;
}

/** Others may start at the same time, and an earlier harbor may have said here why it ended: so it is appended to. */
function openLog(file: string): StartLog {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  const descriptor = openSync(file, size > LONGEST_LOG ? 'w' : 'a', 0o600);
  return { file, descriptor, from: fstatSync(descriptor).size };
}

/** 0 before it ever answered says that another harbor has the data folder. */
function endOf({ exitCode, signalCode }: ChildProcess, log: StartLog): EndedStart | null {
  if (exitCode === null && signalCode === null) return null;
  const said = readFileSync(log.file).subarray(log.from).toString('utf8');
  const last = said.trim().split('\n').slice(-LINES_TOLD).join('\n');
  const how = exitCode === null ? `by ${signalCode ?? 'a signal'}` : `with code ${exitCode}`;
  return {
    yielded: exitCode === 0,
    reason: `The harbor ended ${how} at its start (${log.file}):\n${last}`,
  };
}

/**
 * The installed app starts itself, on Linux by what also knows the way without a display; from a clone, the set-up does, in the
 * Node that runs this.
 */
function harborCommand(): { command: string; args: string[]; env: NodeJS.ProcessEnv } {
  const { INIT_CWD: _callersFolder, ...env } = process.env;
  if (!places.installed) {
    return { command: process.execPath, args: [path.join(places.root, 'resources/setup/start.mjs')], env };
  }
  const { ELECTRON_RUN_AS_NODE: _asNode, ...appEnv } = env;
  return { command: places.launcher ?? process.execPath, args: [], env: appEnv };
}
