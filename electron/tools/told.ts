/** What a conversation has been told of each session, so that what has not changed is not said again. */

/** Sessions of which this is remembered: whoever goes on with an older one is told anew. */
const MOST_SESSIONS = 200;

export class Told {
  /** Whether several conversations hear it, none of which can be told from another: each is to know which session it speaks to. */
  readonly isShared: boolean;
  readonly #sessions = new Map<string, Map<string, string>>();

  constructor(isShared = false) {
    this.isShared = isShared;
  }

  /** Whether `text` is not what was last said of `subject`; from then on it is. */
  isNews(session: string, subject: string, text: string): boolean {
    const said = this.#of(session);
    if (said.get(subject) === text) return false;
    said.set(subject, text);
    return true;
  }

  /** What an answer says of the session that it is about: its handle, where that is news. */
  sessionNews(session: string): string[] {
    const isNew = this.isNews(session, 'session', session);
    return isNew || this.isShared ? [`session ${session}`] : [];
  }

  /** Those of `notes` that have not been said of the session before. */
  newNotes(session: string, notes: readonly string[]): string[] {
    return notes.filter((note) => this.isNews(session, note, note));
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
