/**
 * Keeps the applications of the settings running. Each has a session of the user that every client may use, so that
 * an agent reloads code where it runs. A new image of that session, after a crash or a restart, starts it again.
 */

import { setTimeout as delay } from 'node:timers/promises';
import type { Application, ApplicationView } from '../contract/application';
import { asFailure, HarborError } from '../contract/errors';
import type { Client, SessionView } from '../contract/model';
import { accepts, PortRelay } from '../endpoints/port-relay';
import type { Log } from '../host/log';
import type { SettingsFile } from '../host/settings-file';
import type { Projects } from '../sandbox/projects';
import type { Session } from '../sessions/session/session';
import type { Sessions } from '../sessions/sessions';

interface ApplicationsOptions {
  settings: Pick<SettingsFile, 'current'>;
  sessions: Sessions;
  projects: Projects;
  /** The user, who owns the sessions. */
  person: Client;
  log: Log;
  /** Called when `views` changed. */
  changed: () => void;
}

/** The name of its session. */
const NAME = 'application';

/** Milliseconds until its port must accept connections once its form has returned. */
const LISTEN_MS = 30_000;
const POLL_MS = 200;
/** Milliseconds without an answer after which an accepted connection counts as served. */
const ACCEPTED_MS = 150;

/** Milliseconds for the form that ends it. */
const END_MS = 10_000;

/** It is not started again if its image was replaced this often within this time. */
const MOST_STARTS = 5;
const STARTS_MS = 10 * 60_000;

export class Applications {
  readonly #options: ApplicationsOptions;
  readonly #runs = new Map<string, Run>();
  #ended = false;

  constructor(options: ApplicationsOptions) {
    this.#options = options;
    const { events } = options.sessions;
    events.on('changed', (view) => this.#runOf(view.id)?.follow(view));
    events.on('ended', (id) => this.#runOf(id)?.lost());
  }

  /** Those in the settings, as they are now. */
  views(): ApplicationView[] {
    return this.#options.settings.current.applications.map((application) => ({
      ...application,
      ...(this.#runs.get(application.project)?.view ?? STOPPED),
    }));
  }

  /** Starts those that start with the harbor. */
  startAll(): void {
    for (const { project, atStart } of this.#options.settings.current.applications)
      if (atStart) void this.start(project);
  }

  /**
   * Starts the application of a project. Resolves when it runs or has failed.
   * @throws HarborError `bad_arguments` if the settings have none
   */
  async start(project: string): Promise<void> {
    if (this.#ended) return;
    const application = this.#options.settings.current.applications.find((each) => each.project === project);
    if (!application)
      throw new HarborError('bad_arguments', `The settings have no application of ${project}.`);
    const running = this.#runs.get(project);
    if (running?.isUp) return;
    const run = new Run(application, this.#options);
    this.#runs.set(project, run);
    await run.begin();
  }

  /** Ends the application and closes its session. */
  async stop(project: string): Promise<void> {
    const run = this.#runs.get(project);
    this.#runs.delete(project);
    await run?.end();
    this.#options.changed();
  }

  /** Closes the ports and starts nothing more; sessions end elsewhere. */
  giveUp(): void {
    this.#ended = true;
    for (const run of this.#runs.values()) run.giveUp();
    this.#runs.clear();
  }

  #runOf(session: string): Run | undefined {
    return [...this.#runs.values()].find(({ view }) => view.session === session);
  }
}

type RunView = Pick<ApplicationView, 'state' | 'session' | 'url' | 'problem'>;

const STOPPED: RunView = { state: 'stopped', session: null, url: null, problem: null };

/** One application from its start to its end. */
class Run {
  view: RunView = { ...STOPPED, state: 'starting' };
  readonly #application: Application;
  readonly #options: ApplicationsOptions;
  readonly #starts: number[] = [];
  #session: Session | null = null;
  #relay: PortRelay | null = null;
  /** The generation of the image in which it was started. */
  #generation = 0;
  #isOver = false;

  constructor(application: Application, options: ApplicationsOptions) {
    this.#application = application;
    this.#options = options;
  }

  get isUp(): boolean {
    return this.view.state === 'starting' || this.view.state === 'running';
  }

  /** Opens or wakes its session and starts it there. Never rejects. */
  async begin(): Promise<void> {
    this.#show({});
    try {
      this.#session = await this.#open();
      if (this.#isOver) return;
      this.#options.sessions.share(this.#session.id);
      await this.#startIn(this.#session);
    } catch (error) {
      this.#fail(asFailure(error).message);
    }
  }

  /** Starts it again in a new image. */
  follow({ state, generation }: SessionView): void {
    const session = this.#session;
    const isReplaced = generation !== this.#generation || state === 'lost';
    if (session === null || this.view.state !== 'running' || !isReplaced || state === 'starting') return;
    const recent = this.#starts.filter((at) => Date.now() - at < STARTS_MS);
    if (recent.length >= MOST_STARTS) {
      this.#fail(`Its image was lost ${MOST_STARTS} times in ten minutes.`);
      return;
    }
    this.#closePort();
    this.#show({ state: 'starting', url: null });
    void this.#startIn(session).catch((error: unknown) => this.#fail(asFailure(error).message));
  }

  /** Called when its session was closed. */
  lost(): void {
    this.#session = null;
    this.#closePort();
    this.#show({ ...STOPPED });
  }

  giveUp(): void {
    this.#isOver = true;
    this.#closePort();
  }

  async end(): Promise<void> {
    const session = this.#session;
    this.giveUp();
    if (session === null) return;
    const { end } = this.#application;
    if (end !== undefined && session.state === 'idle') {
      const ending = this.#evaluate(session, end);
      await Promise.race([ending.settled, delay(END_MS, undefined, { ref: false })]);
    }
    await this.#options.sessions.close(session);
  }

  /** @throws HarborError as `Sessions.open` and `find` */
  #open(): Promise<Session> {
    const { sessions, person, projects } = this.#options;
    const { project, engine } = this.#application;
    const known = sessions
      .of(person)
      .find(
        ({ identity: { client, name, project: folder, engine: of } }) =>
          client === person.key && name === NAME && folder === project && (engine ?? of) === of,
      );
    if (known) return sessions.find(known.id, person, null);
    return sessions.open({
      client: person.key,
      project: projects.approve(project),
      name: NAME,
      ...(engine && { engine }),
    });
  }

  async #startIn(session: Session): Promise<void> {
    this.#starts.push(Date.now());
    const evaluation = this.#evaluate(session, this.#application.run);
    let returned = false;
    const failure = evaluation.settled.then(({ outcome, condition }) => {
      returned = true;
      // It reports the image in which it ran, which may have replaced a lost one.
      this.#generation = session.generation;
      return outcome === 'ok' ? null : (condition?.message ?? `Its start ended as ${outcome}.`);
    });
    const { port } = this.#application;
    if (port === undefined) {
      const problem = await failure;
      return problem === null ? this.#show({ state: 'running' }) : this.#fail(problem);
    }
    const listens = this.#listens(session, port, () => returned);
    const problem = await Promise.race([listens, failure.then((problem) => problem ?? listens)]);
    if (problem !== null) return this.#fail(problem);
    this.#generation = session.generation;
    this.#show({ state: 'running', url: `http://127.0.0.1:${port}` });
  }

  /** Resolves with null when the port accepts connections, else with why not. */
  async #listens(session: Session, port: number, hasReturned: () => boolean): Promise<string | null> {
    let left = LISTEN_MS;
    while (left > 0 && !this.#isOver) {
      if (hasReturned()) left -= POLL_MS;
      await session.refreshUsage();
      const { pid } = session.view();
      if (pid !== null) {
        this.#relay ??= await PortRelay.open(pid, port);
        if (await accepts(port, ACCEPTED_MS)) return null;
      }
      await delay(POLL_MS, undefined, { ref: false });
    }
    return `Nothing listens at port ${port} of 127.0.0.1 in its image.`;
  }

  #evaluate(session: Session, code: string) {
    return session.evaluate({ client: this.#options.person.key, grant: null, kind: 'eval', code });
  }

  #fail(problem: string): void {
    this.#closePort();
    this.#options.log.warn(`The application of ${this.#application.project} does not run: ${problem}`);
    this.#show({ state: 'failed', url: null, problem });
  }

  #closePort(): void {
    this.#relay?.close();
    this.#relay = null;
  }

  #show(change: Partial<RunView>): void {
    this.view = { ...this.view, session: this.#session?.id ?? null, ...change };
    if (!this.#isOver) this.#options.changed();
  }
}
