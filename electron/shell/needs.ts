/**
 * Collects what waits for the user: approvals, suspended sessions, refused files and client configurations.
 */
import { EventEmitter } from 'node:events';
import type { Approvals } from '../access/approvals';
import type { CallWatch } from '../access/call-watch';
import type { Connect } from '../connect/install';
import type { Need, NeedsView } from '../contract/approvals';
import type { Evaluation, SessionView } from '../contract/model';
import { every } from '../host/listeners';
import type { Sessions } from '../sessions/sessions';

export interface NeedsEvents {
  /** `view` has changed. */
  changed: [];
}

export interface NeedsSources {
  approvals: Approvals;
  sessions: Sessions;
  calls: CallWatch;
  connect: Connect;
  projectWatch: AppearedPlaces;
}

/** Places that appeared in projects and that programs outside the sandbox obey, as the sandbox notices them. */
export interface AppearedPlaces {
  readonly appeared: readonly { kind: 'repository' | 'place'; path: string; project: string; at: number }[];
  lookAgain(): void;
  dismiss(project: string, path: string | null): void;
  on(event: 'changed', listener: () => void): unknown;
}

/** Fraction of its memory limit from which an image is reported. */
const NEARLY_FULL = 0.85;
const MIB = 1024 * 1024;

/** Interval in milliseconds between checks of files, which change without an event. */
const LOOK_MS = 60_000;

/** Connection state of a program that has lost the harbor's entry. */
const DROPPED: string = 'dropped';

/** A session can be renamed meanwhile, so its name is added when the needs are listed. */
type StoredNeed = WithoutName<Extract<Need, { kind: 'held' | 'full' | 'dropped' }>>;
type WithoutName<N> = N extends { session: string } ? Omit<N, 'name'> : N;

export class Needs extends EventEmitter<NeedsEvents> {
  readonly #sources: NeedsSources;
  readonly #stored = new Map<string, StoredNeed>();
  /** Stops periodic checks. */
  readonly stop: () => void;

  constructor(sources: NeedsSources) {
    super();
    this.#sources = sources;
    const { approvals, sessions, calls, projectWatch } = sources;
    const changed = () => void this.emit('changed');
    approvals.on('changed', changed);
    calls.on('refusals', changed).on('calls', changed);
    projectWatch.on('changed', changed);
    sessions.events
      .on('suspended', (row) => this.#set(suspendedNeed(row)))
      .on('wentOn', ({ id }) => this.#drop(`held-${id}`))
      .on('closed', ({ id }) => this.#drop(`held-${id}`))
      .on('changed', (view) => this.#look(view))
      .on('ended', (session) => this.#drop(`full-${session}`));
    this.stop = every(LOOK_MS, () => void this.look());
    void this.look();
  }

  get view(): NeedsView {
    const { approvals, calls, projectWatch } = this.#sources;
    const questions = approvals.state.questions.map(({ id, client, tool, explanation, requestedAt }) => {
      const what = { client, tool, ...(explanation ? { wish: explanation.wish } : {}) };
      return { kind: 'approval' as const, key: `approval-${id}`, id, ...what, at: requestedAt };
    });
    const refused = calls.refusals.map((refusal) => {
      return { kind: 'refused' as const, key: `refused-${refusal.id}`, refusal, at: refusal.at };
    });
    const appeared = appearedNeeds(projectWatch.appeared);
    const stored = [...this.#stored.values()].map((need) =>
      need.kind === 'dropped' ? need : { ...need, name: this.#nameOf(need.session) },
    );
    const needs = [...questions, ...stored, ...refused, ...appeared].sort((a, b) => a.at - b.at);
    return { needs, calls: calls.calls };
  }

  /** Checks client configurations and projects now. */
  async look(): Promise<void> {
    this.#sources.projectWatch.lookAgain();
    const programs = await this.#sources.connect.list().catch(() => []);
    const keys = new Set<string>();
    for (const { name, title, file, state } of programs) {
      const key = `dropped-${name}`;
      if (state !== DROPPED || file === null) continue;
      keys.add(key);
      if (!this.#stored.has(key))
        this.#set({ kind: 'dropped', key, program: name, title, file, at: Date.now() });
    }
    for (const { kind, key } of this.#stored.values())
      if (kind === 'dropped' && !keys.has(key)) this.#drop(key);
  }

  #look({ id, memoryBytes, limits }: SessionView): void {
    const key = `full-${id}`;
    const limitBytes = (limits.heapMiB ?? 0) * MIB;
    const isFull = limitBytes > 0 && (memoryBytes ?? 0) > NEARLY_FULL * limitBytes;
    // Its name may have changed.
    if ([...this.#stored.values()].some((need) => 'session' in need && need.session === id))
      this.emit('changed');
    if (!isFull) this.#drop(key);
    else {
      const at = this.#stored.get(key)?.at ?? Date.now();
      this.#set({ kind: 'full', key, session: id, bytes: memoryBytes ?? 0, limitBytes, at });
    }
  }

  #nameOf(session: string): string {
    return this.#sources.sessions.get(session)?.identity.name ?? session;
  }

  #set(need: StoredNeed): void {
    this.#stored.set(need.key, need);
    this.emit('changed');
  }

  #drop(key: string): void {
    if (this.#stored.delete(key)) this.emit('changed');
  }
}

/** Maximum number of paths that a need names. */
const MOST_PATHS = 5;

/** Returns one need for each repository, and one for all protected places of a project. */
function appearedNeeds(appeared: AppearedPlaces['appeared']): Need[] {
  const [repositories, places] = (['repository', 'place'] as const).map((kind) =>
    appeared.filter((each) => each.kind === kind),
  );
  return [
    ...(repositories ?? []).map(({ path, project, at }) => {
      return { kind: 'repository' as const, key: `repository-${path}`, path, project, at };
    }),
    ...[...Map.groupBy(places ?? [], ({ project }) => project)].map(([project, each]) => {
      const at = Math.max(...each.map((place) => place.at));
      const paths = each.slice(0, MOST_PATHS).map(({ path }) => path);
      return { kind: 'places' as const, key: `places-${project}`, project, paths, count: each.length, at };
    }),
  ];
}

function suspendedNeed({ id, session, client, condition }: Evaluation): StoredNeed {
  return {
    kind: 'held',
    key: `held-${id}`,
    session,
    client,
    evaluation: id,
    condition: condition?.type ?? 'error',
    message: condition?.message ?? '',
    restarts: condition?.restarts.map(({ name: restart }) => restart) ?? [],
    at: Date.now(),
  };
}
