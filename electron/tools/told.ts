/** What a conversation has been told of each session, so that what has not changed is not said again. */

/** Sessions of which this is remembered: whoever goes on with an older one is told anew. */
const MOST_SESSIONS = 200;

export class Told {
  /** Whether several conversations hear it, none of which can be told from another: each is to know which session it speaks to. */
  readonly isShared: boolean;
  readonly #sessions = new Map<string, Map<string, string>>();
  readonly #forgetsAfterMs: number;
  readonly #clock: () => number;
  #toldAt = 0;

  /** @param forgetsAfterMs silence after which somebody else may be listening, who is told all anew
   * @param clock milliseconds since any moment */
  constructor(isShared = false, forgetsAfterMs = Number.POSITIVE_INFINITY, clock = Date.now) {
    this.isShared = isShared;
    this.#forgetsAfterMs = forgetsAfterMs;
    this.#clock = clock;
  }

  /** Whether `text` is not what was last said of `subject`; from then on it is. */
  isNews(session: string, subject: string, text: string): boolean {
    const now = this.#clock();
    if (now - this.#toldAt > this.#forgetsAfterMs) this.#sessions.clear();
    this.#toldAt = now;
    const said = this.#of(session);
    if (said.get(subject) === text) return false;
    said.set(subject, text);
    return true;
  }

  #of(session: string): Map<string, string> {
    const said = this.#sessions.get(session) ?? new Map<string, string>();
    this.#sessions.delete(session);
    this.#sessions.set(session, said);
    const [oldest] = this.#sessions.keys();
    if (this.#sessions.size > MOST_SESSIONS && oldest !== undefined) this.#sessions.delete(oldest);
    return said;
  }
}
