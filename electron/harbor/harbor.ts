/**
 * The running server. It opens its parts in order and closes them in reverse order: the data folder lock is
 * acquired before anything is written, and endpoints open last.
 */

import type { IssuedToken } from '../access/tokens';
import type { HarborError } from '../contract/errors';
import type { HarborStatus, Installable } from '../contract/harbor-status';

import { STDIO_KEY } from '../contract/known-clients';
import type { Settings, SettingsChange } from '../contract/settings';
import { asUnusable, dataFolder, makeDataFolder } from '../host/data-folder';
import { acquireDataFolderLock } from '../host/lock';

import { removeRegistry, writeRegistry } from '../host/running-harbor';
import { findProgram } from '../images/agent/programs';
import { installable } from '../images/installable';
import { compose, type HarborOptions, type Parts } from './compose';
import { closeEndpoints, type OpeningProblems, openEndpoints } from './compose-endpoints';
import { viewsOf } from './ports';

/**
 * Builds all services and opens the endpoints. If a port is in use, the harbor runs without it and `status()`
 * reports the error.
 * @throws HarborError `data_folder_in_use`, `data_folder_unusable`, `project_not_approved`
 */
export async function startHarbor(options: HarborOptions): Promise<Harbor> {
  const folder = dataFolder(options.data);
  makeDataFolder(folder);
  const lock = acquireDataFolderLock(folder, options.kind);
  try {
    const harbor = new Harbor(await compose(options, folder, lock));
    // Child processes inherit the working directory. The data folder exists for as long as the harbor runs,
    // unlike the folder in which it was started.
    process.chdir(folder.root);
    await harbor.open();
    return harbor;
  } catch (error) {
    lock.release();
    throw asUnusable(folder, error);
  }
}

export class Harbor {
  readonly parts: Parts;
  #problems: OpeningProblems = { http: null, ports: [] };

  constructor(parts: Parts) {
    this.parts = parts;
  }

  /** The error of the first requested port that is not open, or null. */
  get problem(): HarborError | null {
    return this.#problems.http ?? this.#problems.ports[0] ?? null;
  }

  /** Warnings about this start, the history and the settings file. */
  get notices(): string[] {
    const { settings, history, notices } = this.parts;
    return [...settings.problems, ...(history.notice === null ? [] : [history.notice]), ...notices];
  }

  async open(): Promise<void> {
    const { options, folder, settings, addresses, engines, log } = this.parts;
    void engines.buildAhead((failure) =>
      log.warn('The images that sessions start from could not be built', failure),
    );
    this.#problems = await openEndpoints(this.parts, folder, options, settings.current.port);
    this.#register();
    for (const problem of settings.problems) log.warn(problem);
    settings.watch();
    this.parts.applications.startAll();
    log.info(`Lisp Harbor ${options.version} on ${folder.root} listens at ${addresses.all.join(', ')}`);
  }

  /** Listens on any free port if the configured port is in use. The settings do not change. */
  async listenAnywhere(): Promise<void> {
    const { http, events, log } = this.parts;
    if (http.url !== null) return;
    const port = await http.listen(0);
    this.#problems = { ...this.#problems, http: null };
    this.#register();
    log.info(`Listens on port ${port}, because the configured port is in use`);
    events.emit('changed');
  }

  /**
   * Writes the registry file, in which other programs of this user find the harbor. A failure is logged and
   * does not stop the harbor.
   */
  #register(): void {
    const { options, folder, http, connect, log } = this.parts;
    try {
      writeRegistry(folder.registry, {
        version: options.version,
        kind: options.kind,
        dataFolder: folder.root,
        mcp: http.url,
        https: http.httpsUrl,
        stdio: connect.command(STDIO_KEY),
      });
    } catch (error) {
      log.warn(`The registry file ${folder.registry} could not be written`, error);
    }
  }

  /** Returns the token for the ready line and prepares a connection for its client. */
  beginServing(): string {
    const { tokens, mcp } = this.parts;
    const { token, view } = tokens.issueForServe();
    mcp.expect({ key: view.name, scopes: new Set(view.scopes) });
    return token;
  }

  async status(): Promise<HarborStatus> {
    const { options, folder, settings, project, engines, launcher, http, ports } = this.parts;
    return {
      version: options.version,
      dataFolder: folder.root,
      project: project.folder,
      defaultEngine: await engines.defaultOrNull(),
      engines: await engines.discover(),
      sandbox: launcher.sandbox,
      endpoint: { url: http.url, httpsUrl: http.httpsUrl, problem: this.#problems.http?.message ?? null },
      ports: viewsOf(ports),
      applications: this.parts.applications.views(),
      settingsProblems: [...settings.problems],
      notices: [...this.notices, ...this.#problems.ports.map(({ message }) => message)],
    };
  }

  /** Detects the engines again and returns which ones could be installed. */
  async look(): Promise<Installable | null> {
    const { engines, events } = this.parts;
    engines.invalidate();
    const found = await engines.discover();
    events.emit('changed');
    return installable(found, (program) => findProgram([program], process.env.PATH ?? ''));
  }

  /**
   * Applies a change of the settings that the user made. Some settings take effect only at the next start.
   * @throws HarborError `project_not_approved`, and as `SettingsFile.change`
   */
  changeSettings(change: SettingsChange): Settings {
    const { projects, settings } = this.parts;
    if (change.project !== undefined) projects.approve(change.project);
    return settings.change(change);
  }

  /** Revokes a token and closes the HTTP sessions of its client. */
  async revokeToken(id: number): Promise<void> {
    const { tokens, mcp } = this.parts;
    const revoked = tokens.list().find((token) => token.id === id);
    tokens.revoke(id);
    if (revoked) await mcp.endClient(revoked.name);
  }

  /**
   * Replaces a token and closes the HTTP sessions that used the old one.
   * @throws HarborError as `Tokens.rotate`
   */
  async rotateToken(id: number): Promise<IssuedToken> {
    const { tokens, mcp } = this.parts;
    const issued = tokens.rotate(id);
    await mcp.endClient(issued.view.name);
    return issued;
  }

  /**
   * Approves a folder and makes it the default project of new sessions.
   * @throws HarborError `project_not_approved`, and as `SettingsFile.change`
   */
  approveProject(folder: string): string {
    const project = this.parts.projects.approve(folder);
    this.parts.settings.change(({ projects }) => ({
      project,
      projects: [...new Set([...projects, project])],
    }));
    return project;
  }

  /**
   * Stops the images, closes the history and releases the data folder lock. A failed step does not stop the
   * next one.
   */
  async stop(): Promise<void> {
    const { folder, settings, sessions, history, lock, log, spans } = this.parts;
    removeRegistry(folder.registry);
    settings.close();
    this.parts.applications.giveUp();
    // Closing a connection waits for the session that it is opening.
    sessions.giveUpOpening();
    await closeEndpoints(this.parts);
    await sessions.closeAll();
    await spans.flush();
    await history.close().finally(() => lock.release());
    if (history.notice !== null)
      log.error(`Records that were still queued when the harbor stopped are lost. ${history.notice}`);
  }
}
