/** Opens sessions with a new image or a warm one, and wakes sessions that are asleep. */

import path from 'node:path';
import type { ExecutionGuard } from '../contract/approvals';
import { HarborError } from '../contract/errors';
import { isSingleConnection, requirePlainName } from '../contract/known-clients';
import type { EngineName, Limits } from '../contract/model';
import { addressText, type ServerAddress } from '../contract/server';
import { visibleLine } from '../contract/visible-text';
import type { Engines } from '../images/discovery';
import type { Engine, Image, StartRequest } from '../images/image';
import { type ImagePlan, type ImagePool, PendingStarts } from '../images/pool';
import type { Hosts } from '../launchers/hosts/hosts';
import type { Launcher } from '../launchers/launcher';
import type { Confinement } from '../sandbox/confinement';
import type { HistoryJournal } from './journal';
import type { LibraryFolders } from './library-fetches';
import type { Memory } from './memory';
import {
  type OpenRequest,
  type PersistentState,
  resolveLimits,
  type SavedRequest,
  savedRequest,
} from './open-request';
import { freshLineage, type Lineage } from './recovery/lineage';
import type { SavedSessions, SleepingSession } from './recovery/sleeping-sessions';
import { Session, type SessionServices } from './session/session';
import type { SessionBeginning, SessionIdentity } from './session/session-journal';
import type { FoldersOfSession, SessionFolders } from './session-folders';
import { freeName, sessionHandle } from './session-names';

export interface SessionOpenerOptions
  extends ImageStarterOptions,
    Pick<SessionServices, 'newPlaces' | 'projectWatch' | 'diskLimits'> {
  engines: Engines;
  /** The default limits of sessions. */
  limits: (engine: EngineName) => Limits;
  memory: Memory;
  /** Reasons for a missing sandbox that the user has accepted. */
  acceptedUnsandboxed: () => readonly string[];
  /** Approves evaluations. */
  guard: ExecutionGuard;
}

interface Parts {
  journal: HistoryJournal;
  saved: SavedSessions;
  pool: ImagePool;
  /** The names of all sessions. */
  names: () => readonly string[];
}

/** Starts an image, from the file of a checkpoint if one is given. @param programs as in `StartRequest` */
type StartImage = (checkpoint?: string, programs?: boolean) => Promise<Image>;

const STARTED_AGAIN = 'the harbor was started again';

export class SessionOpener {
  readonly starts: ImageStarter;
  readonly #options: SessionOpenerOptions;
  readonly #parts: Parts;
  readonly #requests = new WeakMap<Session, SavedRequest>();

  constructor(options: SessionOpenerOptions, parts: Parts) {
    this.#options = options;
    this.#parts = parts;
    this.starts = new ImageStarter(options);
  }

  /**
   * Opens a session.
   * @throws HarborError as `Sessions.open` does
   */
  async open(request: OpenRequest): Promise<Session> {
    const { server, name } = request;
    if (name !== undefined) requirePlainName(name);
    const { engines } = this.#options;
    const wanted = server?.kind ?? request.engine ?? (await engines.default(request.project));
    const engine = this.#options.engines.get(wanted);
    if (request.aliases && !engine.hasAliases)
      throw new HarborError('not_supported', `A session of ${engine.name} has no aliases. Clojure has.`);
    if (request.host !== undefined && !engine.startsOnHosts)
      throw new HarborError('not_supported', `${engine.name} does not start on hosts. SBCL does.`);
    const limits = resolveLimits(engine, request.limits ?? {}, this.#options.limits(engine.name));
    const plan = server ? null : this.starts.plan(engine, request, limits);
    const warm = plan && this.#warmImage(request, plan);
    const identity: SessionIdentity = {
      id: warm?.handle ?? sessionHandle(engine.name),
      engine: engine.name,
      name: name ?? this.#freeName(server ? nameOf(server) : visibleLine(path.basename(request.project))),
      client: request.client,
      project: request.project,
      limits,
      ...(server ? { server } : {}),
      ...(request.host === undefined ? {} : { host: request.host }),
      openedAt: Date.now(),
    };
    const startImage = this.#starterOf(identity, request);
    if (plan && warm) this.starts.noteStart(identity, plan);
    const lineage = request.from?.lineage(identity.id) ?? freshLineage(identity.id);
    const saved = lineage.checkpoint?.file;
    const startFirst = () =>
      plan ? this.starts.startAsPlanned(plan, identity, request, saved) : startImage(saved);
    try {
      const image = warm?.image ?? (await startFirst());
      const session = await this.#begin(identity, { image, lineage, startImage }, request);
      if (request.engine === undefined) session.addFallbackNotes(await engines.fallbackNotes(engine.name));
      return session;
    } catch (error) {
      await this.#options.folders.remove(identity.id);
      throw error;
    }
  }

  /**
   * Wakes a session. It can be used at once; its state is restored meanwhile.
   * @throws HarborError as `Engine.start` and `Engine.attach` do; the session then stays asleep
   */
  async wake(sleeping: SleepingSession): Promise<Session> {
    const { identity, request: asked, newestRow } = sleeping;
    if (!identity.server && identity.host === undefined) this.#options.memory.requireRoomForOne();
    const startImage = this.#starterOf(identity, { ...asked, project: identity.project });
    const image = await startImage(sleeping.lineages.newest.checkpoint?.file);
    const { package: packageBefore, ...standing } = sleeping.persistentState;
    const begin = { ...standing, image, newestRow, sleptBecause: STARTED_AGAIN };
    const session = this.#session(identity, begin, startImage);
    this.#requests.set(session, asked);
    this.#parts.saved.wake(sleeping);
    void session.begin(packageBefore);
    return session;
  }

  /** Returns what the session was opened with. */
  requestOf(session: Session): SavedRequest {
    return this.#requests.get(session) ?? {};
  }

  #starterOf(identity: SessionIdentity, request: Omit<OpenRequest, 'client'>): StartImage {
    const engine = this.#options.engines.get(identity.engine);
    const { server } = identity;
    return server
      ? () => this.starts.attach(engine, { ...request, server })
      : (checkpoint, programs = false) =>
          this.starts.start(engine, identity, { ...request, programs }, checkpoint);
  }

  /**
   * Returns a warm image if one fits, or null. None fits a request with a saved state, an initial package, aliases
   * or its own network permission.
   * @throws HarborError `memory_short` if no warm image fits and none can be started
   */
  #warmImage(
    { project, from, package: packageName, network, aliases, host }: OpenRequest,
    plan: ConfinedPlan,
  ) {
    this.#options.checkProject(project);
    if (host !== undefined) return null;
    const isUsual = !(from || packageName !== undefined || network || aliases);
    const warm = isUsual ? this.#parts.pool.take(plan) : null;
    if (!warm) this.#options.memory.requireRoomForOne();
    return warm;
  }

  async #begin(
    identity: SessionIdentity,
    { image, lineage, startImage }: { image: Image; lineage: Lineage; startImage: StartImage },
    request: OpenRequest,
  ): Promise<Session> {
    const fresh: Omit<PersistentState, 'package'> = {
      lineages: [lineage],
      systems: [],
      holds: false,
      generation: 1,
    };
    const session = this.#session(
      identity,
      { ...fresh, image, newestRow: 0, sleptBecause: null },
      startImage,
    );
    try {
      await session.begin(request.from?.package ?? image.package);
      const saved = savedRequest(request);
      this.#requests.set(session, saved);
      this.#parts.saved.open(session, isPassing(request) ? null : saved);
    } catch (error) {
      await session.end();
      this.#parts.journal.ended(identity);
      throw error;
    }
    return session;
  }

  #session(identity: SessionIdentity, begin: SessionBeginning, start: StartImage): Session {
    const { acceptedUnsandboxed: accepted, guard, projectWatch, newPlaces, diskLimits } = this.#options;
    const { journal } = this.#parts;
    const watch = {
      ...(projectWatch ? { projectWatch } : {}),
      ...(newPlaces ? { newPlaces } : {}),
      ...(diskLimits ? { diskLimits } : {}),
    };
    return new Session(identity, begin, { start, accepted, guard, journal, ...watch });
  }

  /** Returns `api`, `api 2`, `api 3`: the first free name. */
  #freeName(base: string): string {
    return freeName(this.#parts.names(), (number) => (number === 1 ? base : `${base} ${number}`));
  }
}

function isPassing({ client, endsWithHarbor: passing = false }: OpenRequest): boolean {
  return passing || isSingleConnection(client);
}

function nameOf({ kind, ...address }: ServerAddress): string {
  return `${kind} ${addressText(address)}`;
}

// The images of sessions: each is confined to what its project may use at that moment, or connected to a
// server.

/** The part of a request that determines its image. */
type ImageRequest = Pick<
  OpenRequest,
  'project' | 'package' | 'container' | 'network' | 'aliases' | 'host' | 'onProgress'
> &
  Pick<StartRequest, 'programs'>;

/** The part that determines the confinement. */
type ConfinedRequest = Pick<ImageRequest, 'project' | 'network'>;

/** The plan of an image and its confinement. */
interface ConfinedPlan extends ImagePlan {
  asked: ConfinedRequest;
  confinement: Confinement;
}

/** The server to connect to, and whether the user allowed exactly this server. */
interface AttachRequest extends ImageRequest {
  server: ServerAddress;
  serverAllowed?: boolean;
}

interface ImageStarterOptions {
  launcher: Launcher;
  /** Starts images on other machines; absent: there are none. */
  hosts?: Pick<Hosts, 'find' | 'launcher' | 'removeSession'>;
  folders: SessionFolders;
  /** The folders of fetched libraries. */
  libraries?: LibraryFolders;
  /**
   * Returns the confinement of images of a project, without the session's folders. Called before each start.
   */
  confine: (project: string) => Confinement;
  /**
   * Called before each start of an image.
   * @throws HarborError `project_not_approved` if the project has moved
   */
  checkProject: (project: string) => void;
  /**
   * Returns the current address of a server. Called before each connection.
   * @param isAllowed the user allowed it for the session
   * @throws HarborError `not_approved` if it is not allowed; `engine_unavailable`
   */
  locateServer: (server: ServerAddress, isAllowed: boolean) => Promise<ServerAddress>;
}

class ImageStarter {
  readonly #options: ImageStarterOptions;
  readonly #underWay = new PendingStarts();
  /** By session: the confinement of its image at its start, and its request. */
  readonly #confined = new Map<string, { to: string; asked: ConfinedRequest }>();

  constructor(options: ImageStarterOptions) {
    this.#options = options;
  }

  /** Returns the plan of an image with the current confinement. */
  plan(engine: Engine, asked: ImageRequest, { heapMiB }: Limits): ConfinedPlan {
    const { project, package: packageName, container, network, aliases, host, programs } = asked;
    const { libraries } = this.#options;
    const launcher = this.#launcherOf(host);
    const fetched = engine.fetcher ? libraries?.forImage(project) : undefined;
    const confinement = this.#confinement(asked);
    const { writable, ...rest } = confinement;
    const request = (folders: FoldersOfSession) => ({
      launcher,
      confinement: { ...rest, writable: [...writable, folders.home, folders.checkpoints] },
      project,
      ...folders,
      ...(fetched === undefined ? {} : { libraries: fetched }),
      ...(packageName === undefined ? {} : { package: packageName }),
      ...(heapMiB === null ? {} : { heapMiB }),
      ...(container === undefined ? {} : { container }),
      ...(aliases ? { aliases } : {}),
      ...(programs ? { programs } : {}),
    });
    return { engine, request, confinement, asked: { project, ...(network ? { network } : {}) } };
  }

  /**
   * Starts an image for the session, from a checkpoint's file if there is one.
   * @throws HarborError `project_not_approved`, and as `Engine.start` does
   */
  async start(
    engine: Engine,
    identity: SessionIdentity,
    request: ImageRequest,
    checkpoint: string | undefined,
  ): Promise<Image> {
    const { project, limits } = identity;
    this.#options.checkProject(project);
    // The project of the session counts, not that of the request.
    const plan = this.plan(engine, { ...request, project }, limits);
    return this.startAsPlanned(plan, identity, request, checkpoint);
  }

  /**
   * As `start`, for a plan that was just made, of a project that was just checked.
   * @throws HarborError as `Engine.start` does
   */
  async startAsPlanned(
    plan: ConfinedPlan,
    identity: SessionIdentity,
    { onProgress }: ImageRequest,
    checkpoint: string | undefined,
  ): Promise<Image> {
    this.#options.launcher.expectImage?.();
    this.noteStart(identity, plan);
    const folders = await this.#options.folders.make(identity.id);
    const whole = { ...plan.request(folders), ...(checkpoint === undefined ? {} : { checkpoint }) };
    return this.#underWay.start(plan.engine, whole, onProgress);
  }

  /** Prevents further starts and stops waiting for current ones. */
  giveUp(): void {
    this.#underWay.abortAll();
  }

  /** @throws HarborError `not_approved`, `not_supported`, and as `Engine.attach` does */
  async attach(
    engine: Engine,
    { server: asked, serverAllowed = false, package: packageName }: AttachRequest,
  ): Promise<Image> {
    if (!engine.attach)
      throw new HarborError('not_supported', `Sessions of ${engine.name} cannot be attached; omit attach.`);
    const server = await this.#options.locateServer(asked, serverAllowed);
    return engine.attach({ server, ...(packageName === undefined ? {} : { package: packageName }) });
  }

  /** Records the confinement of the session's image. */
  noteStart({ id }: SessionIdentity, { asked, confinement }: ConfinedPlan): void {
    this.#confined.set(id, { to: JSON.stringify(confinement), asked });
  }

  forget(session: string): void {
    this.#confined.delete(session);
  }

  /** Reports whether a new image would be confined differently. */
  isOutdated({ id }: SessionIdentity): boolean {
    const confined = this.#confined.get(id);
    return (
      confined !== undefined &&
      this.#options.launcher.sandbox.confined &&
      confined.to !== JSON.stringify(this.#confinement(confined.asked))
    );
  }

  /** @throws HarborError `bad_arguments` if the user named no such host */
  #launcherOf(host: string | undefined): Launcher {
    const { launcher, hosts } = this.#options;
    if (host === undefined) return launcher;
    if (hosts) return hosts.launcher(host);
    throw new HarborError('bad_arguments', `There is no host ${host}.`);
  }

  #confinement({ project, network = false }: ConfinedRequest): Confinement {
    const confinement = this.#options.confine(project);
    return { ...confinement, network: confinement.network || network };
  }
}
