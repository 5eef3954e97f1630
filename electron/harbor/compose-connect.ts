/** `Connect` for this computer, this user and this installation. */
import { homedir } from 'node:os';
import { AgentInstall } from '../connect/agent/agent-install';
import { type HarborSide, withoutHarbor } from '../connect/harbor-side';
import { Connect } from '../connect/install';
import { launcherWords, stdioCommand } from '../connect/stdio-command';
import { LOOPBACK } from '../endpoints/loopback';
import { type DataFolder, runtimeFolder } from '../host/data-folder';
import { VERSION } from '../host/places';
import { SettingsFile } from '../host/settings-file';
import { isDefaultEverywhere, origin } from './origin';

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
