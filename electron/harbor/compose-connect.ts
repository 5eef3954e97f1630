/** `Connect` for this computer, this user and this installation. */
import { homedir } from 'node:os';
import path from 'node:path';
import { AgentInstall } from '../connect/agent/agent-install';
import { type HarborSide, withoutHarbor } from '../connect/harbor-side';
import { Connect } from '../connect/install';
import { launcherWords, type Origin, stdioCommand } from '../connect/stdio-command';
import { HarborError } from '../contract/errors';
import { LOOPBACK } from '../endpoints/loopback';
import { isExecutable } from '../host/child-process';
import { type DataFolder, defaultRoot, runtimeFolder } from '../host/data-folder';
import { places, VERSION } from '../host/places';
import { SettingsFile } from '../host/settings-file';

/** Of a harbor that runs, or of a command that holds the data folder. */
export function composeConnect(folder: DataFolder, harbor: HarborSide): Connect {
  const data = isDefaultEverywhere(folder.root) ? undefined : folder.root;
  return new Connect({
    folder: folder.connect,
    version: VERSION,
    locks: runtimeFolder(),
    environment: environment(),
    stdioCommand: (client) => stdioCommand(origin(), client, data),
    harbor,
  });
}

/** For a command that holds the data folder while no harbor does. */
export function composeConnectAlone(folder: DataFolder): Connect {
  const { port } = new SettingsFile(folder.settings).current;
  // Where it will be when it is started as usual.
  return composeConnect(folder, withoutHarbor(port === 0 ? null : `http://${LOOPBACK}:${port}/mcp`));
}

/** @param project the folder whose agents alone are meant; undefined: all of this user's */
export function composeAgents(folder: DataFolder, project: string | undefined): AgentInstall {
  return new AgentInstall(folder.connect, {
    computer: environment(),
    launcher: launcherWords(origin()),
    project,
  });
}

function environment() {
  return { platform: process.platform, home: homedir(), env: process.env };
}

/** Clients pass their servers little of the environment, and what XDG_DATA_HOME says may not reach them. */
function isDefaultEverywhere(root: string): boolean {
  const { XDG_DATA_HOME: _, ...bare } = process.env;
  return root === defaultRoot() && root === defaultRoot(process.platform, bare);
}

function origin(): Origin {
  // An AppImage runs from a temporary mount; its own file is what stays.
  if (places.installed)
    return { kind: 'app', executable: process.env.APPIMAGE ?? places.launcher ?? process.execPath };
  return { kind: 'clone', node: nodeExecutable(), folder: places.root };
}

/** The harbor may run in Electron; a client's entry names the Node that the set-up ran on, or the shell's. */
function nodeExecutable(): string {
  if (process.env.LISP_HARBOR_NODE) return process.env.LISP_HARBOR_NODE;
  if (process.versions.electron === undefined) return process.execPath;
  const name = process.platform === 'win32' ? 'node.exe' : 'node';
  const folders = (process.env.PATH ?? '').split(path.delimiter).filter(path.isAbsolute);
  const found = folders.map((folder) => path.join(folder, name)).find(isExecutable);
  if (found) return found;
  throw new HarborError(
    'not_supported',
    'No node was found on the PATH; other programs need it to start the bridge.',
  );
}
