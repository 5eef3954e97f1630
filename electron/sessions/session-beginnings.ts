/** How sessions begin: with an image that was started for them, or ahead of them; or again, after they slept. */
import path from 'node:path';
import type { Door } from '../contract/approvals';
import { comesOnce } from '../contract/known-clients';
import type { Limits } from '../contract/memory';
import type { EngineName } from '../contract/model';
import { requirePlainName } from '../contract/plain-name';
import { addressText, type ServerAddress } from '../contract/server';
import { visibleLine } from '../contract/visible-text';
import type { Engines } from '../images/discovery';
import type { Image } from '../images/image';
import type { ImagePool } from '../images/pool';
import { type ConfinedPlan, ImageStarts, type ImageStartsOptions } from './image-starts';
import type { HistoryJournal } from './journal';
import type { Memory } from './memory-reserve';
import type { OpenRequest } from './open-request';
import { askedFor, type Standing } from './recovery/kept-session';
import type { KeptSessions } from './recovery/kept-sessions';
import { freshLineage, type Lineage } from './recovery/lineage';
import type { SleepingSession } from './recovery/sleeping-session';
import type { SessionBeginning, SessionIdentity } from './session/evaluation-request';
import { Session } from './session/session';
import { limitsOf } from './session-limits';
import { freeName, sessionHandle } from './session-names';

export interface SessionBeginningsOptions extends ImageStartsOptions {
  engines: Engines;
  /** The limits of sessions that are opened without a word about them. */
  limits: (engine: EngineName) => Limits;
  memory: Memory;
  /** Reasons why an image is not sandboxed that a person has accepted. */
  acceptedUnsandboxed: () => readonly string[];
  /** Through which all goes that is evaluated. */
  door: Door;
}

interface Parts {
  journal: HistoryJournal;
  kept: KeptSessions;
  pool: ImagePool;
  /** The names of all sessions. */
  names: () => readonly string[];
}

/** Starts an image, from the file of a checkpoint if one is given. */
type StartImage = (checkpoint?: string) => Promise<Image>;

const STARTED_AGAIN = 'the harbor was started again';

export class SessionBeginnings {
  readonly starts: ImageStarts;
  readonly #options: SessionBeginningsOptions;
  readonly #parts: Parts;

  constructor(options: SessionBeginningsOptions, parts: Parts) {
    this.#options = options;
    this.#parts = parts;
    this.starts = new ImageStarts(options);
  }

  /** A session that can be used. @throws HarborError as `Sessions.open` does */
  async open(request: OpenRequest): Promise<Session> {
    const { server, name } = request;
    if (name !== undefined) requirePlainName(name);
    const wanted = server?.kind ?? request.engine ?? (await this.#options.engines.default());
    const engine = this.#options.engines.get(wanted);
    const limits = limitsOf(engine, request.limits ?? {}, this.#options.limits(engine.name));
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
      return await this.#begin(identity, { image, lineage, startImage }, request);
    } catch (error) {
      await this.#options.folders.remove(identity.id);
      throw error;
    }
  }

  /** The session with an image, which is brought to the state of its last one while the session can be used already.
   * @throws HarborError as `Engine.start` and `Engine.attach` do; the session then sleeps on */
  async wake(sleeping: SleepingSession): Promise<Session> {
    const { identity, asked, newestRow } = sleeping;
    if (!identity.server) this.#options.memory.requireRoomForOne();
    const startImage = this.#starterOf(identity, { ...asked, project: identity.project });
    const image = await startImage(sleeping.lineages.newest.checkpoint?.file);
    const { package: packageBefore, ...standing } = sleeping.standing;
    const begin = { ...standing, image, newestRow, sleptBecause: STARTED_AGAIN };
    const session = this.#session(identity, begin, startImage);
    this.#parts.kept.wake(sleeping);
    void session.begin(packageBefore);
    return session;
  }

  #starterOf(identity: SessionIdentity, request: Omit<OpenRequest, 'client'>): StartImage {
    const engine = this.#options.engines.get(identity.engine);
    const { server } = identity;
    return server
      ? () => this.starts.attach(engine, { ...request, server })
      : (checkpoint) => this.starts.start(engine, identity, request, checkpoint);
  }

  /** An image that was started ahead, if there is one that will do: none holds a state that was saved, begins in a
   * package that one session names, or has a network that a person allowed to one session. It has its memory already.
   * @throws HarborError `memory_short` where there is none, and none can be started */
  #warmImage({ project, from, package: packageName, network }: OpenRequest, plan: ConfinedPlan) {
    this.#options.checkProject(project);
    const isUsual = !(from || packageName !== undefined || network);
    const warm = isUsual ? this.#parts.pool.take(plan) : null;
    if (!warm) this.#options.memory.requireRoomForOne();
    return warm;
  }

  async #begin(
    identity: SessionIdentity,
    { image, lineage, startImage }: { image: Image; lineage: Lineage; startImage: StartImage },
    request: OpenRequest,
  ): Promise<Session> {
    const fresh: Omit<Standing, 'package'> = {
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
      this.#parts.kept.open(session, isPassing(request) ? null : askedFor(request));
    } catch (error) {
      await session.end();
      this.#parts.journal.ended(identity);
      throw error;
    }
    return session;
  }

  #session(identity: SessionIdentity, begin: SessionBeginning, start: StartImage): Session {
    const { acceptedUnsandboxed: accepted, door } = this.#options;
    return new Session(identity, begin, { start, accepted, door, journal: this.#parts.journal });
  }

  /** `api`, then `api 2`, `api 3`: names tell people their sessions apart. */
  #freeName(base: string): string {
    return freeName(this.#parts.names(), (number) => (number === 1 ? base : `${base} ${number}`));
  }
}

function isPassing({ client, passing = false }: OpenRequest): boolean {
  return passing || comesOnce(client);
}

function nameOf({ kind, ...address }: ServerAddress): string {
  return `${kind} ${addressText(address)}`;
}
