/** Starts a harbor without a window, as a process that outlives the one that starts it. */
import { once } from 'node:events';
import { closeSync, fstatSync, openSync, readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { type ChildProcess, spawnAlone } from './child-process';
import { type DataFolder, makeDataFolder } from './data-folder';
import type { EndedStart, ReachOptions, StartedHarbor } from './harbor-reach';
import { lockOwner } from './lock-owner';

import { type Options, PORT_NAMES } from './options';
import { paths } from './paths';

/** Size at which the log of starts is emptied, in bytes. */
const LONGEST_LOG = 1024 * 1024;
const REPORTED_LINES = 5;

/** Options that are passed to the new harbor. */
export type PassedOn = Pick<
  Options,
  'unconfined' | 'debug' | 'ports' | 'bridgeSocket' | 'https' | 'lisplyPrefix' | 'books' | 'trustTags'
>;

/** Returns how to reach the harbor of a data folder. If none runs, one is started with these options. */
export function reachOptions(folder: DataFolder, options: PassedOn): ReachOptions {
  return {
    socketPath: () => lockOwner(folder.lock)?.socket ?? folder.socket,
    isLocked: () => lockOwner(folder.lock) !== null,
    startHarbor: () => startHidden(folder, options),
  };
}

/**
 * Starts a harbor. Its stderr is appended to `start.log` in the log folder.
 * @throws HarborError `data_folder_unusable`; Error if the program cannot be started
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
  /** Offset of this start in the file, in bytes. */
  from: number;
}

/** Opens the log for appending, because other starts may write to it at the same time. */
function openLog(file: string): StartLog {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  const descriptor = openSync(file, size > LONGEST_LOG ? 'w' : 'a', 0o600);
  return { file, descriptor, from: fstatSync(descriptor).size };
}

/** Exit code 0 before it answered means that another harbor owns the data folder. */
function endOf({ exitCode, signalCode }: ChildProcess, log: StartLog): EndedStart | null {
  if (exitCode === null && signalCode === null) return null;
  const text = readFileSync(log.file).subarray(log.from).toString('utf8');
  const last = text.trim().split('\n').slice(-REPORTED_LINES).join('\n');
  const how = exitCode === null ? `by ${signalCode ?? 'a signal'}` : `with code ${exitCode}`;
  return {
    yielded: exitCode === 0,
    reason: `The harbor ended ${how} while starting (${log.file}):\n${last}`,
  };
}

/**
 * Returns the command that starts a harbor. The installed app starts itself, on Linux by the launcher that
 * also works without a display. A clone uses the setup script with this Node.
 */
function harborCommand(): { command: string; args: string[]; env: NodeJS.ProcessEnv } {
  const { INIT_CWD: _callersFolder, ...env } = process.env;
  if (!paths.installed) {
    return { command: process.execPath, args: [path.join(paths.root, 'resources/setup/start.mjs')], env };
  }
  const { ELECTRON_RUN_AS_NODE: _asNode, ...appEnv } = env;
  return { command: paths.launcher ?? process.execPath, args: [], env: appEnv };
}
