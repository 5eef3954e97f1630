/**
 * Builds `Connect`, which edits the configurations of MCP clients, for this machine, user and installation.
 */

import { homedir } from 'node:os';
import path from 'node:path';
import type { ClientChoices } from '../access/client-settings';
import type { Tokens } from '../access/tokens';
import { AgentInstall } from '../connect/agent/agent-install';
import { type HarborServices, type RequestedChoice, withoutHarbor } from '../connect/harbor-services';
import { Connect } from '../connect/install';
import { launcherWords, type Origin, startWords, stdioCommand } from '../connect/transport';
import type { ClientChoice } from '../contract/clients';
import { HarborError } from '../contract/errors';
import { LOOPBACK } from '../endpoints/loopback';
import { isExecutable } from '../host/child-process';
import { type DataFolder, defaultRoot, runtimeFolder } from '../host/data-folder';
import { paths, VERSION } from '../host/paths';
import { SettingsFile } from '../host/settings-file';
import { system } from '../host/system';

/** Builds `Connect` for a running harbor or for a command that owns the data folder lock. */
export function composeConnect(folder: DataFolder, harbor: HarborServices): Connect {
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

/** Builds `Connect` for a command that owns the data folder lock while no harbor runs. */
export function composeConnectAlone(folder: DataFolder): Connect {
  const { port } = new SettingsFile(folder.settings).current;
  // The default address. It is the one that the harbor will listen at when it starts without options.
  return composeConnect(folder, withoutHarbor(port === 0 ? null : `http://${LOOPBACK}:${port}/mcp`));
}

/**
 * Builds the installer of skills and hooks.
 * @param project limits the installation to this folder; undefined: the user’s own configuration
 */
export function composeAgents(folder: DataFolder, project: string | undefined): AgentInstall {
  return new AgentInstall(folder.connect, {
    computer: environment(),
    launcher: launcherWords(origin()),
    ...(isDefaultEverywhere(folder.root) ? {} : { data: folder.root }),
    project,
  });
}

function environment() {
  return { platform: process.platform, home: homedir(), env: process.env };
}

/** The profile that was chosen for each client. */
interface Profiles {
  chosen(client: string): string | null;
  /** @throws HarborError `bad_arguments` if no profile has this name */
  check(profile: string): void;
  choose(client: string, profile: string | null): void;
}

export interface HarborServicesDependencies {
  tokens: Tokens;
  clientProfiles: Profiles;
  clientChoices: ClientChoices;
  address(): string | null;
  /** Closes the client’s HTTP sessions after its token was revoked. */
  endClient(client: string): Promise<void>;
}

export function harborServices(dependencies: HarborServicesDependencies): HarborServices {
  const { tokens, clientProfiles, clientChoices, address, endClient } = dependencies;
  return {
    require: () => undefined,
    address,
    tokens: {
      isInForce: (token, client) => tokens.find(token)?.name === client,
      draft(client, scopes) {
        const { token, put } = tokens.draft(client, scopes);
        return {
          token,
          async put() {
            put();
            await endClient(client);
          },
        };
      },
      async revoke(token) {
        const found = tokens.find(token);
        if (!found) return;
        tokens.revoke(found.id);
        await endClient(found.name);
      },
    },
    choices: {
      of: (client): ClientChoice => {
        const { engine, scopes } = clientChoices.of(client);
        return { profile: clientProfiles.chosen(client), engine, scopes: scopes && [...scopes] };
      },
      check({ profile }) {
        if (profile) clientProfiles.check(profile);
      },
      choose(client, { profile, engine, scopes }: RequestedChoice) {
        if (profile !== undefined) clientProfiles.choose(client, profile);
        if (engine === undefined && scopes === undefined) return;
        clientChoices.choose(client, {
          ...(engine !== undefined && { engine }),
          ...(scopes !== undefined && { scopes }),
        });
      },
    },
  };
}

/**
 * Returns the command line that starts the app hidden.
 * @throws as `origin`
 */
export function hiddenStart(folder: DataFolder): string[] {
  const data = isDefaultEverywhere(folder.root) ? [] : ['--data', folder.root];
  return [...startWords(origin()), '--hidden', ...data];
}

/**
 * Reports whether `root` is the default data folder with and without `XDG_DATA_HOME`. MCP clients pass few
 * environment variables on, so the variable may be missing when the client starts the bridge.
 */
export function isDefaultEverywhere(root: string): boolean {
  const { XDG_DATA_HOME: _, ...bare } = process.env;
  return root === defaultRoot() && root === defaultRoot(bare);
}

/**
 * Returns how other programs start this installation.
 * @throws HarborError `not_supported` if this is a clone and no `node` is on the PATH
 */
export function origin(): Origin {
  // An AppImage runs from a temporary mount. Only the path of the AppImage file itself is stable.
  if (paths.installed)
    return { kind: 'app', executable: process.env.APPIMAGE ?? paths.launcher ?? process.execPath };
  return { kind: 'clone', node: nodeExecutable(), folder: paths.root };
}

/**
 * Returns the Node executable for client configurations: the one that the setup used, else this process, else
 * the first on the PATH. Electron’s own executable is not used.
 */
function nodeExecutable(): string {
  if (process.env.LISP_HARBOR_NODE) return process.env.LISP_HARBOR_NODE;
  if (process.versions.electron === undefined) return process.execPath;
  const folders = (process.env.PATH ?? '').split(path.delimiter).filter(path.isAbsolute);
  const found = folders.map((folder) => path.join(folder, system.node)).find(isExecutable);
  if (found) return found;
  throw new HarborError(
    'not_supported',
    'No node executable is on the PATH. Other programs need it to start the bridge. Install Node.js or add it to the PATH.',
  );
}
