/** What waits for a person, gathered from the services that know: approvals, sessions, refused files, client programs. */
import { EventEmitter } from 'node:events';
import type { Approvals } from '../access/approvals';
import type { CallWatch } from '../access/call-watch';
import type { Connect } from '../connect/install';
import type { Evaluation, SessionView } from '../contract/model';
import type { Need, NeedsView } from '../contract/needs';
import type { Sessions } from '../sessions/sessions';

export interface NeedsEvents {
  /** `view` would answer something else now. */
  changed: [];
}

export interface NeedsSources {
  approvals: Approvals;
  sessions: Sessions;
  calls: CallWatch;
  connect: Connect;
}

/** How much of its limit an image fills before a person is told. */
const NEARLY_FULL = 0.85;
const MIB = 1024 * 1024;

/** How often programs' configurations are looked at, in milliseconds: they change without an event. */
const LOOK_MS = 60_000;

/** What Connect calls a program that has lost our entry. */
const DROPPED: string = 'dropped';

type Kept = Extract<Need, { kind: 'held' | 'full' | 'dropped' }>;

export class Needs extends EventEmitter<NeedsEvents> {
  readonly #sources: NeedsSources;
  readonly #kept = new Map<string, Kept>();
  readonly #timer: NodeJS.Timeout;

  constructor(sources: NeedsSources) {
    super();
    this.#sources = sources;
    const { approvals, sessions, calls } = sources;
    const changed = () => void this.emit('changed');
    approvals.on('changed', changed);
    calls.on('refusals', changed).on('calls', changed);
    sessions.events
      .on('held', (row) => this.#set(heldNeed(row, this.#nameOf(row.session))))
      .on('wentOn', ({ id }) => this.#drop(`held-${id}`))
      .on('closed', ({ id }) => this.#drop(`held-${id}`))
      .on('changed', (view) => this.#look(view))
      .on('ended', (session) => this.#drop(`full-${session}`));
    this.#timer = setInterval(() => void this.look(), LOOK_MS).unref();
    void this.look();
  }

  get view(): NeedsView {
    const { approvals, calls } = this.#sources;
    const questions = approvals.state.questions.map(({ id, client, tool, told, askedAt }) => {
      const what = { client, tool, ...(told ? { wish: told.wish } : {}) };
      return { kind: 'approval' as const, key: `approval-${id}`, id, ...what, at: askedAt };
    });
    const refused = calls.refusals.map((refusal) => {
      return { kind: 'refused' as const, key: `refused-${refusal.id}`, refusal, at: refusal.at };
    });
    const needs = [...questions, ...this.#kept.values(), ...refused].sort((a, b) => a.at - b.at);
    return { needs, calls: calls.calls };
  }

  /** Looks at programs' configurations now. */
  async look(): Promise<void> {
    const programs = await this.#sources.connect.list().catch(() => []);
    const keys = new Set<string>();
    for (const { name, title, file, state } of programs) {
      const key = `dropped-${name}`;
      if (state !== DROPPED || file === null) continue;
      keys.add(key);
      if (!this.#kept.has(key))
        this.#set({ kind: 'dropped', key, program: name, title, file, at: Date.now() });
    }
    for (const { kind, key } of this.#kept.values())
      if (kind === 'dropped' && !keys.has(key)) this.#drop(key);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #look({ id, name, memoryBytes, limits }: SessionView): void {
    const key = `full-${id}`;
    const limitBytes = (limits.heapMiB ?? 0) * MIB;
    const isFull = limitBytes > 0 && (memoryBytes ?? 0) > NEARLY_FULL * limitBytes;
    if (!isFull) this.#drop(key);
    else {
      const at = this.#kept.get(key)?.at ?? Date.now();
      this.#set({ kind: 'full', key, session: id, name, bytes: memoryBytes ?? 0, limitBytes, at });
    }
  }

  #nameOf(session: string): string {
    return this.#sources.sessions.get(session)?.identity.name ?? session;
  }

  #set(need: Kept): void {
    this.#kept.set(need.key, need);
    this.emit('changed');
  }

  #drop(key: string): void {
    if (this.#kept.delete(key)) this.emit('changed');
  }
}

function heldNeed({ id, session, client, condition }: Evaluation, name: string): Kept {
  return {
    kind: 'held',
    key: `held-${id}`,
    session,
    name,
    client,
    evaluation: id,
    condition: condition?.type ?? 'error',
    message: condition?.message ?? '',
    restarts: condition?.restarts.map(({ name: restart }) => restart) ?? [],
    at: Date.now(),
  };
}
