/** A session without an image, which comes back with its state when it is used: its harbor was started again. */
import { existsSync } from 'node:fs';
import type { SessionView } from '../../contract/model';
import type { LeftSession } from '../../history/session-rows';
import type { SessionIdentity } from '../session/evaluation-request';
import type { Asked, KeptSession, Standing } from './kept-session';
import { type Lineage, Lineages } from './lineage';

export class SleepingSession {
  readonly identity: SessionIdentity;
  readonly asked: Asked;
  /** The newest evaluation of the session; 0 where there is none. */
  readonly newestRow: number;
  /** Where the state of its next image comes from. */
  readonly lineages: Pick<Lineages, 'newest' | 'needs' | 'forget'>;
  readonly #lineages: Lineages;
  readonly #kept: KeptSession;
  readonly #lastUsedAt: number;

  constructor({ kept: _text, newestRow, lastUsedAt, ...opened }: LeftSession, kept: KeptSession) {
    const { server } = kept.asked;
    this.identity = { ...opened, limits: kept.limits, ...(server ? { server } : {}) };
    this.asked = kept.asked;
    this.newestRow = newestRow;
    this.#lineages = new Lineages(startable(kept.standing.lineages));
    this.lineages = this.#lineages;
    this.#kept = kept;
    this.#lastUsedAt = lastUsedAt;
  }

  get id(): string {
    return this.identity.id;
  }

  /** What the session is brought back with. */
  get standing(): Standing {
    return { ...this.#kept.standing, lineages: this.#lineages.all };
  }

  view(): SessionView {
    const { openedAt, ...identity } = this.identity;
    const { standing, shown } = this.#kept;
    return {
      ...identity,
      note: '',
      ...standing.called,
      ...shown,
      state: 'asleep',
      package: standing.package,
      pid: null,
      memoryBytes: null,
      startedAt: openedAt,
      lastUsedAt: this.#lastUsedAt,
      generation: standing.generation,
      runningEvaluation: null,
      stopping: null,
      lostBecause: null,
      comesBack: {
        ...shown.comesBack,
        checkpoint: this.lineages.newest.checkpoint?.name ?? null,
      },
      // Allowed for as long as the image lived.
      ...(shown.rawLisp === undefined ? {} : { rawLisp: false }),
      trust: null,
    };
  }
}

/** Those whose checkpoint still has its file; where none has, the session cannot come back, which starting its image tells. */
function startable(lineages: readonly Lineage[]): readonly Lineage[] {
  const found = lineages.filter(({ checkpoint }) => checkpoint === null || existsSync(checkpoint.file));
  return found.length > 0 ? found : lineages;
}
