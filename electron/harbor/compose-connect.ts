/** `Connect` for this computer, this user and this installation. */
import { homedir } from 'node:os';
import path from 'node:path';
import { AgentInstall } from '../connect/agent/agent-install';
import { Connect } from '../connect/install';
import { launcherWords, type Origin, stdioCommand } from '../connect/stdio-command';
import { HarborError } from '../contract/errors';
import { isExecutable } from '../host/child-process';
import { type DataFolder, defaultRoot } from '../host/data-folder';
import { places } from '../host/places';

export function composeConnect(folder: DataFolder): Connect {
  const data = isDefaultEverywhere(folder.root) ? undefined : folder.root;
  return new Connect({
    folder: folder.connect,
    environment: environment(),
    stdioCommand: (client) => stdioCommand(origin(), client, data),
  });
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
