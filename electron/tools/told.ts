/** What a conversation has been told of each session, so that what has not changed is not said again. */

/** Sessions of which this is remembered: whoever goes on with an older one is told anew. */
const MOST_SESSIONS = 200;

/** Evaluations without an end of which it is remembered what was told. */
const MOST_EVALUATIONS = 200;

/** What was told of an evaluation that had not ended: how much of each list and text, and what it was held by. */
export interface ToldSoFar {
  forms: number;
  warnings: number;
  stdout: number;
  stderr: number;
  /** The offset in all that it printed up to which pages of that were asked for. */
  offset: number;
  condition: string | null;
}

const NOTHING: ToldSoFar = { forms: 0, warnings: 0, stdout: 0, stderr: 0, offset: 0, condition: null };

export class Told {
  /** Whether several conversations hear it, none of which can be told from another: each is to know which session it speaks to. */
  readonly isShared: boolean;
  readonly #sessions = new Map<string, Map<string, string>>();
  readonly #evaluations = new Map<number, ToldSoFar>();
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
    this.#remember();
    const said = this.#of(session);
    if (said.get(subject) === text) return false;
    said.set(subject, text);
    return true;
  }

  /** Whether the session is to be named: it was not yet, or several conversations hear it. */
  isNewSession(session: string): boolean {
    return this.isNews(session, 'session', session) || this.isShared;
  }

  /** What an answer says of the session that it is about: its handle, where that is news. */
  sessionNews(session: string): string[] {
    return this.isNewSession(session) ? [`session ${session}`] : [];
  }

  /** Those of `notes` that have not been said of the session before. */
  newNotes(session: string, notes: readonly string[]): string[] {
    return notes.filter((note) => this.isNews(session, note, note));
  }

  /** Whether anything of an evaluation that had not ended was told. */
  knows(evaluation: number): boolean {
    return this.soFar(evaluation) !== NOTHING;
  }

  /** What was told of an evaluation; nothing where several conversations hear it. */
  soFar(evaluation: number): ToldSoFar {
    this.#remember();
    return this.#evaluations.get(evaluation) ?? NOTHING;
  }

  /** @param soFar null: its end was told, and whoever asks again is told all anew */
  keep(evaluation: number, soFar: ToldSoFar | null): void {
    this.#evaluations.delete(evaluation);
    if (soFar === null || this.isShared) return;
    this.#evaluations.set(evaluation, soFar);
    const [oldest] = this.#evaluations.keys();
    if (this.#evaluations.size > MOST_EVALUATIONS && oldest !== undefined) this.#evaluations.delete(oldest);
  }

  /** What was said of an evaluation and its session has not arrived, so that all of it is news again. */
  unsaid(evaluation: number, session: string): void {
    this.#evaluations.delete(evaluation);
    this.#sessions.delete(session);
  }

  /** All, unless it was silent for too long. */
  #remember(): void {
    const now = this.#clock();
    if (now - this.#toldAt > this.#forgetsAfterMs) {
      this.#sessions.clear();
      this.#evaluations.clear();
    }
    this.#toldAt = now;
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
