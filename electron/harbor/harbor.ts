/**
 * The running server: its parts, opened and closed in order. The lock comes before anything is written, the
 * endpoints after all that they serve; in the end the reverse.
 */

import type { IssuedToken } from '../access/tokens';
import type { HarborError } from '../contract/errors';
import type { HarborStatus } from '../contract/harbor-status';
import type { Installable } from '../contract/installable';
import { STDIO_KEY } from '../contract/known-clients';
import type { Settings, SettingsChange } from '../contract/settings';
import { dataFolder } from '../host/data-folder';
import { holdDataFolder } from '../host/lock';
import { makeDataFolder } from '../host/make-data-folder';
import { removeRegistry, writeRegistry } from '../host/registry-file';
import { findProgram } from '../images/agent/programs';
import { installable } from '../images/installable';
import { compose, type HarborOptions, type Parts } from './compose';
import { closeEndpoints, type OpeningProblems, openEndpoints } from './open-endpoints';
import { viewsOf } from './ports';

/** Builds everything and opens the endpoints. A port in use does not stop the harbor: `status()` tells it.
 * @throws HarborError `data_folder_in_use`, `data_folder_unusable`, `project_not_approved` */
export async function startHarbor(options: HarborOptions): Promise<Harbor> {
  const folder = dataFolder(options.data);
  makeDataFolder(folder);
  const lock = holdDataFolder(folder, options.kind);
  try {
    const harbor = new Harbor(await compose(options, folder, lock));
    // Programs that it starts need a working folder that stays, and that in which it was started may go.
    process.chdir(folder.root);
    await harbor.open();
    return harbor;
  } catch (error) {
    lock.release();
    throw error;
  }
}

export class Harbor {
  readonly parts: Parts;
  #problems: OpeningProblems = { http: null, ports: [] };

  constructor(parts: Parts) {
    this.parts = parts;
  }

  /** Why the first port that was asked for and could not be had is not open, or null. */
  get problem(): HarborError | null {
    return this.#problems.http ?? this.#problems.ports[0] ?? null;
  }

  /** What people must know of this start, and of the settings file. */
  get notices(): string[] {
    const { settings, history, notices } = this.parts;
    return [...settings.problems, ...(history.notice === null ? [] : [history.notice]), ...notices];
  }

  async open(): Promise<void> {
    const { options, folder, settings, addresses, engines, log } = this.parts;
    void engines.buildAhead((failure) => log.warn('What sessions start from could not be built', failure));
    this.#problems = await openEndpoints(this.parts, folder, options, settings.current.port);
    this.#tell();
    for (const problem of settings.problems) log.warn(problem);
    settings.watch();
    log.info(`Lisp Harbor ${options.version} on ${folder.root} listens at ${addresses.all.join(', ')}`);
  }

  /** Listens on any free port, for this time, where the one that was wanted is taken. */
  async listenAnywhere(): Promise<void> {
    const { http, events, log } = this.parts;
    if (http.url !== null) return;
    const port = await http.listen(0);
    this.#problems = { ...this.#problems, http: null };
    this.#tell();
    log.info(`Listens at port ${port}, because the one that was wanted is taken`);
    events.emit('changed');
  }

  /** Tells other programs of this user how it is reached. It serves also where that cannot be told. */
  #tell(): void {
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
      log.warn(`Other programs cannot be told where the harbor is, in ${folder.registry}`, error);
    }
  }

  /** The token of the ready line, whose client is expected from now on. */
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
      settingsProblems: [...settings.problems],
      notices: [...this.notices, ...this.#problems.ports.map(({ message }) => message)],
    };
  }

  /** Looks anew for engines, of which a person may have installed one; answers what could be installed. */
  async look(): Promise<Installable | null> {
    const { engines, events } = this.parts;
    engines.forget();
    const found = await engines.discover();
    events.emit('changed');
    return installable(found, (program) => findProgram([program], process.env.PATH ?? ''));
  }

  /**
   * Applies a change that a person made; what needs it takes effect at once or at the next start, as the window says.
   * @throws HarborError `project_not_approved`, and as `SettingsFile.change`
   */
  changeSettings(change: SettingsChange): Settings {
    const { projects, settings } = this.parts;
    if (change.project !== undefined) projects.approve(change.project);
    return settings.change(change);
  }

  /** Takes a token out of force, and what its client holds over HTTP with it. */
  async revokeToken(id: number): Promise<void> {
    const { tokens, mcp } = this.parts;
    const revoked = tokens.list().find((token) => token.id === id);
    tokens.revoke(id);
    if (revoked) await mcp.endClient(revoked.name);
  }

  /** Puts another token in the place of one, under which nothing of the old one's client goes on over HTTP.
   * @throws HarborError as `Tokens.rotate` */
  async rotateToken(id: number): Promise<IssuedToken> {
    const { tokens, mcp } = this.parts;
    const issued = tokens.rotate(id);
    await mcp.endClient(issued.view.name);
    return issued;
  }

  /** Makes a folder that a person chose the project of new sessions.
   * @throws HarborError `project_not_approved`, and as `SettingsFile.change` */
  approveProject(folder: string): string {
    const project = this.parts.projects.approve(folder);
    this.parts.settings.change(({ projects }) => ({
      project,
      projects: [...new Set([...projects, project])],
    }));
    return project;
  }

  /** Ends images, closes the history and gives the data folder back, each also when the one before fails. */
  async stop(): Promise<void> {
    const { folder, settings, sessions, history, lock, log } = this.parts;
    removeRegistry(folder.registry);
    settings.close();
    // The end of a connection waits for the session that is being opened for it.
    sessions.giveUpOpening();
    await closeEndpoints(this.parts);
    await sessions.closeAll();
    await history.close().finally(() => lock.release());
    if (history.notice !== null)
      log.error(`What still waited when the harbor ended is lost. ${history.notice}`);
  }
}
