/** The default sessions of one connection: one for each engine that it asks for in each folder that it works in, none before it is
 * needed. */
import type { EngineName } from '../contract/model';
import type { DefaultSession } from './default-session';
import type { Session } from './session/session';

export class DefaultSessions {
  readonly #of: (engine: EngineName | undefined, folder: string | null) => DefaultSession;
  readonly #sessions = new Map<string, DefaultSession>();

  /** @param of makes that of an engine, undefined meaning the harbor's default one, in the folder that the connection has moved to;
   * null: it works where it began */
  constructor(of: (engine: EngineName | undefined, folder: string | null) => DefaultSession) {
    this.#of = of;
  }

  /** @throws HarborError as `Sessions.open` does */
  get(engine: EngineName | undefined, folder: string | null): Promise<{ session: Session; notes: string[] }> {
    const which = JSON.stringify([engine ?? null, folder]);
    const known = this.#sessions.get(which);
    if (known) return known.get();
    const made = this.#of(engine, folder);
    this.#sessions.set(which, made);
    return made.get();
  }

  async end(): Promise<void> {
    await Promise.all([...this.#sessions.values()].map((session) => session.end()));
  }
}
