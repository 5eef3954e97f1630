/** The history of the REPL editor, by whole forms. */

import type { CancelledInput, SessionId } from '../../electron/contract/model';

import type { FormEditor } from './form-editor';

/** `place` counts from the newest form; null for the draft, which is saved as `draft` meanwhile. */
interface Walk {
  place: number | null;
  draft: string;
}

export const AT_DRAFT: Walk = { place: null, draft: '' };

/**
 * Goes to the next older form.
 * @param forms newest first
 * @param text the current text of the editor
 */
export function older(forms: readonly string[], { place, draft }: Walk, text: string): [Walk, string] | null {
  const next = place === null ? 0 : place + 1;
  const form = forms[next];
  if (form === undefined) return null;
  return [{ place: next, draft: place === null ? text : draft }, form];
}

/** Goes to the next newer form, and from the newest to the draft. */
export function newer(forms: readonly string[], { place, draft }: Walk): [Walk, string] | null {
  if (place === null) return null;
  if (place === 0) return [AT_DRAFT, draft];
  const form = forms[place - 1];
  return form === undefined ? null : [{ place: place - 1, draft }, form];
}

/** Text that was cleared from the editor without being sent. `below` was the newest form at that time. */
interface Cleared {
  text: string;
  below: string | null;
}

/**
 * Returns the forms and the cleared texts in order, without duplicates, newest first.
 * @param cleared oldest first
 */
export function withCleared(forms: readonly string[], cleared: readonly Cleared[]): string[] {
  const all = [...forms];
  for (const { text, below } of cleared.toReversed()) {
    const place = below === null ? -1 : all.indexOf(below);
    all.splice(place < 0 ? all.length : place, 0, text);
  }
  return distinct(all);
}

/** Removes duplicates. The newest occurrence stays. */
export function distinct(forms: readonly string[]): string[] {
  return [...new Set(forms.map((form) => form.trim()).filter(Boolean))];
}

/** Maximum number of cleared texts per session. */
const MOST = 50;

/**
 * Cleared texts by session, oldest first. A module variable, because the editor is destroyed when another
 * view is shown.
 */
const CLEARED = new Map<SessionId, readonly Cleared[]>();

export class HistoryWalk {
  readonly #session: SessionId;
  readonly #forms: () => readonly string[];
  #walk = AT_DRAFT;

  /** @param forms earlier forms, newest first */
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

  /** The next step starts at the newest form. */
  restart(): void {
    this.#walk = AT_DRAFT;
  }

  /** Clears the text of the editor. The text, and the draft of before the walk, remain in the history. */
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

/**
 * Ctrl+C in the editor: clears the text, or else returns queued input to the editor, or else interrupts the
 * running evaluation. Nothing is lost: cleared text is available by Ctrl+Z and Up.
 */
export class CancelKey {
  readonly #editor: FormEditor;
  readonly #walk: HistoryWalk;
  readonly #withdraw: () => Promise<CancelledInput | undefined>;
  /** The last returned text. While it is unchanged, it does not count as typed. */
  #taken = '';

  constructor(editor: FormEditor, walk: HistoryWalk, withdraw: () => Promise<CancelledInput | undefined>) {
    this.#editor = editor;
    this.#walk = walk;
    this.#withdraw = withdraw;
  }

  async press(): Promise<void> {
    const { text } = this.#editor;
    if (text !== '' && text !== this.#taken) return this.clear();
    const taken = await this.#withdraw();
    if (taken?.text) this.restore(taken.text);
    else if (taken?.took === 'nothing' && this.#editor.text === text) this.clear();
  }

  /** Puts returned input above the current text. */
  restore(text: string): void {
    const typed = this.#editor.text;
    this.#walk.restart();
    this.#editor.show(typed === '' ? text : `${text}\n${typed}`);
    this.#taken = this.#editor.text;
  }

  clear(): void {
    this.#walk.clear(this.#editor.text);
    if (this.#editor.text !== '') this.#editor.show('');
  }
}
