/** Up and Down in one session's editor: through the forms of before, and what was cleared from the editor in between. */
import type { SessionId } from '../../electron/contract/model';
import { AT_DRAFT, type Cleared, newer, older, withCleared } from './form-history';

/** As many are kept of a session. */
const MOST = 50;

/** Oldest first. Here, as the editor goes whenever another view is shown. */
const CLEARED = new Map<SessionId, readonly Cleared[]>();

export class FormWalk {
  readonly #session: SessionId;
  readonly #forms: () => readonly string[];
  #walk = AT_DRAFT;

  /** @param forms those of before, newest first */
  constructor(session: SessionId, forms: () => readonly string[]) {
    this.#session = session;
    this.#forms = forms;
  }

  older(text: string): string | null {
    return this.#walked(older(withCleared(this.#forms(), this.#cleared), this.#walk, text));
  }

  newer(): string | null {
    return this.#walked(newer(withCleared(this.#forms(), this.#cleared), this.#walk));
  }

  /** Up begins at the newest again. */
  restart(): void {
    this.#walk = AT_DRAFT;
  }

  /** What stands in the editor goes from it. Up has it, and what was being written when the walk began. */
  clear(text: string): void {
    const [below = null] = this.#forms();
    const lost = [this.#walk.draft, text].filter((each) => each.trim() !== '' && !this.#has(each));
    const cleared = [...this.#cleared, ...lost.map((each) => ({ text: each, below }))];
    CLEARED.set(this.#session, cleared.slice(-MOST));
    this.restart();
  }

  get #cleared(): readonly Cleared[] {
    return CLEARED.get(this.#session) ?? [];
  }

  #has(text: string): boolean {
    return withCleared(this.#forms(), this.#cleared).includes(text.trim());
  }

  #walked(step: ReturnType<typeof older>): string | null {
    if (step) [this.#walk] = step;
    return step?.[1] ?? null;
  }
}
