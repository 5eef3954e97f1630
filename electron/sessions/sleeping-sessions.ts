/** The sessions that an earlier harbor left: asleep until somebody uses them, or closes them for good. */
import type { Log } from '../host/log';
import type { OpenRequest } from './open-request';
import type { KeptSessions } from './recovery/kept-sessions';
import type { SleepingSession } from './recovery/sleeping-session';
import type { Session } from './session/session';

export class SleepingSessions {
  readonly #asleep = new Map<string, SleepingSession>();
  readonly #waking = new Map<string, Promise<Session>>();

  /** @param wanted whether a person wants them back; else they are ended */
  constructor(kept: KeptSessions, { wanted, log }: { wanted: boolean; log: Log }) {
    for (const session of kept.left()) {
      if (wanted) this.#asleep.set(session.id, session);
      else kept.end(session.id);
    }
    if (this.#asleep.size > 0) log.info(`${this.#asleep.size} sessions of the last time are asleep.`);
  }

  /** Oldest first. */
  get all(): readonly SleepingSession[] {
    return [...this.#asleep.values()];
  }

  get(id: string): SleepingSession | undefined {
    return this.#asleep.get(id);
  }

  /** Whether it was there. */
  forget(id: string): boolean {
    return this.#asleep.delete(id);
  }

  /** Callers share one waking. The session sleeps on when that fails. */
  waking({ id }: SleepingSession, wake: () => Promise<Session>): Promise<Session> {
    const under = this.#waking.get(id);
    if (under) return under;
    const waking = wake()
      .then((session) => {
        this.#asleep.delete(id);
        return session;
      })
      .finally(() => this.#waking.delete(id));
    this.#waking.set(id, waking);
    return waking;
  }

  /** Those of the conversation that asks, or of one that cannot be told from it. */
  ofConversation({ client, project, conversation }: OpenRequest): readonly SleepingSession[] {
    if (conversation === undefined) return [];
    return this.all.filter(
      ({ identity, asked }) =>
        asked.conversation === conversation && identity.client === client && identity.project === project,
    );
  }
}
