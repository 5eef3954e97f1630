/**
 * The running server: its parts, opened and closed in order. The lock comes before anything is written, the
 * endpoints after all that they serve; in the end the reverse.
 */
import { EventEmitter } from 'node:events';
import type { HarborStatus } from '../contract/contract';
import type { Settings, SettingsChange } from '../contract/settings';
import { dataFolder, makeDataFolder } from '../host/data-folder';
import { holdDataFolder } from '../host/lock';
import { compose, type HarborOptions, type Parts } from './compose';
import { Listening } from './open-endpoints';
import { slimeHost } from './ports';

export interface HarborEvents {
  /** `status()` would answer something else now. */
  changed: [];
  /** Somebody wants to see the window. */
  show: [];
  /** Somebody asked this harbor to end, for instance an app that takes over. */
  stop: [];
}

/** Builds everything and opens the endpoints. A port in use does not stop the harbor: `status()` tells it.
 * @throws HarborError `data_folder_in_use`, `data_folder_unusable`, `project_not_approved` */
export async function startHarbor(options: HarborOptions): Promise<Harbor> {
  const folder = dataFolder(options.data);
  makeDataFolder(folder);
  const lock = holdDataFolder(folder, options.kind);
  try {
    const harbor = new Harbor(await compose(options, folder, lock, () => harbor));
    await harbor.open();
    return harbor;
  } catch (error) {
    lock.release();
    throw error;
  }
}

export class Harbor {
  readonly events = new EventEmitter<HarborEvents>();
  readonly parts: Parts;
  readonly listening: Listening;
  #project: string;

  constructor(parts: Parts) {
    this.parts = parts;
    this.listening = new Listening(parts);
    this.#project = parts.project;
  }

  /** The folder that sessions get which name none. */
  get project(): string {
    return this.#project;
  }

  /** Address of the MCP endpoint, or null while it does not listen. */
  get url(): string | null {
    return this.listening.url;
  }

  async open(): Promise<void> {
    const { options, settings, folder, sessions, log } = this.parts;
    await this.listening.open({
      socket: folder.socket,
      port: options.port ?? settings.current.port,
      https: options.https,
      slime: slimeHost(sessions, this.#project),
      ports: options.ports,
    });
    log.info(
      `Lisp Harbor ${options.version} on ${folder.root} listens at ${this.listening.addresses.join(', ')}`,
    );
  }

  async status(): Promise<HarborStatus> {
    const { options, folder, engines, launcher, notices, swank, sideDoors } = this.parts;
    const { url, httpsUrl, httpProblem, portProblems } = this.listening;
    const { bridge, lisply, tcp, telnet } = sideDoors;
    return {
      version: options.version,
      dataFolder: folder.root,
      project: this.#project,
      defaultEngine: await engines.defaultOrNull(),
      engines: await engines.discover(),
      sandbox: launcher.sandbox,
      endpoint: { url, httpsUrl, problem: httpProblem },
      ports: {
        swank: swank.views,
        acl2Bridge: bridge.view,
        lisply: lisply.view,
        tcp: tcp.view,
        telnet: telnet.view,
      },
      notices: [...notices, ...portProblems],
    };
  }

  /** Applies a change that a person made; what needs it takes effect at once or at the next start, as the window says. */
  changeSettings(change: SettingsChange): Settings {
    if (change.project !== undefined) this.#project = this.parts.projects.approve(change.project);
    const settings = this.parts.settings.change(change);
    this.parts.engines.forget();
    this.events.emit('changed');
    return settings;
  }

  /** Takes a token out of force, and what its client holds over HTTP with it. */
  async revokeToken(id: number): Promise<void> {
    const { tokens, mcp } = this.parts;
    const revoked = tokens.list().find((token) => token.id === id);
    tokens.revoke(id);
    if (revoked) await mcp.endClient(revoked.name);
  }

  /** Makes a folder that a person chose the project of new sessions.
   * @throws HarborError `project_not_approved` */
  approveProject(folder: string): string {
    const project = this.parts.projects.approve(folder);
    const { projects } = this.parts.settings.current;
    this.changeSettings({ project, projects: [...new Set([...projects, project])] });
    return project;
  }

  /** Ends images, closes the history and gives the data folder back, each also when the one before fails. */
  async stop(): Promise<void> {
    const { sessions, history, lock } = this.parts;
    // The end of a connection waits for the session that is being opened for it.
    sessions.giveUpOpening();
    await this.listening.close();
    await sessions.closeAll();
    await history.close().finally(() => lock.release());
  }
}
