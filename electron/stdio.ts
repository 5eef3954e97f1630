/** stdio entry: pipes an MCP client's stdin and stdout to the running harbor, starting a hidden one if there is none. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { asFailure } from './contract/errors';
import { type DataFolder, dataFolder } from './data-folder';
import type { StartedHarbor } from './endpoints/harbor-reach';
import { runStdio } from './endpoints/stdio-bridge';
import { commandLine, type Options, parseOptions } from './options';
import { places } from './places';

/** Resolves with the exit code once the client has closed stdin and has its answers. */
async function stdio(options: Options): Promise<number> {
  const folder = dataFolder(options.data);
  return runStdio({
    socketPath: folder.socket,
    secretFile: folder.bridgeSecret,
    hello: {
      client: options.client,
      project: options.project ?? process.env.INIT_CWD ?? process.cwd(),
      profile: options.profile,
      ...(options.engine === undefined ? {} : { engine: options.engine }),
    },
    startHarbor: () => startHarbor(folder, options),
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
  });
}

/** Starts it on its own, so that it outlives this client; what it says goes to a file in the log folder. */
async function startHarbor(folder: DataFolder, { unconfined, debug }: Options): Promise<StartedHarbor> {
  mkdirSync(folder.log, { recursive: true, mode: 0o700 });
  const logFile = path.join(folder.log, 'start.log');
  const log = openSync(logFile, 'w', 0o600);
  const { INIT_CWD: _callersFolder, ELECTRON_RUN_AS_NODE: _asNode, ...env } = process.env;
  const [command, ...args] = harborCommand();
  const switches = [...(unconfined ? ['--unconfined'] : []), ...(debug ? ['--debug'] : [])];
  const child = spawn(command, [...args, '--hidden', '--data', folder.root, ...switches], {
    cwd: homedir(),
    env,
    detached: true,
    stdio: ['ignore', log, log],
    windowsHide: true,
  });
  closeSync(log);
  await once(child, 'spawn');
  child.unref();
  return { died: () => (child.exitCode === null ? null : whyItEnded(child.exitCode, logFile)) };
}

function whyItEnded(code: number, logFile: string): string {
  const said = readFileSync(logFile, 'utf8').trim().split('\n').slice(-5).join('\n');
  return `The harbor ended with code ${code} at its start (${logFile}):\n${said}`;
}

/** The installed app starts itself; from a clone, the set-up knows the way. */
function harborCommand(): [string, ...string[]] {
  if (places.root.endsWith('.asar')) return [process.execPath];
  return [process.execPath, path.join(places.root, 'resources/setup/start.mjs')];
}

try {
  process.exitCode = await stdio(
    parseOptions(commandLine(process), process.env, process.versions.electron !== undefined),
  );
} catch (error) {
  process.stderr.write(`lisp-harbor: ${asFailure(error).message}\n`);
  process.exitCode = 2;
}
