/** The default sessions of one connection: one for each engine that it asks for, none before it is needed. */
import type { EngineName } from '../contract/model';
import type { DefaultSession } from './default-session';
import type { Session } from './session/session';

export class DefaultSessions {
  readonly #of: (engine: EngineName | undefined) => DefaultSession;
  readonly #sessions = new Map<EngineName | undefined, DefaultSession>();

  /** @param of makes that of an engine; undefined means the harbor's default engine */
  constructor(of: (engine: EngineName | undefined) => DefaultSession) {
    this.#of = of;
  }

  /** @throws HarborError as `Sessions.open` does */
  get(engine: EngineName | undefined): Promise<{ session: Session; notes: string[] }> {
    const known = this.#sessions.get(engine);
    if (known) return known.get();
    const made = this.#of(engine);
    this.#sessions.set(engine, made);
    return made.get();
  }

  async end(): Promise<void> {
    await Promise.all([...this.#sessions.values()].map((session) => session.end()));
  }
}
