/**
 * Ctrl+C in the editor. What a person typed is cleared, or else all that waits comes back, or else what runs is
 * interrupted. Nothing is lost by it: what goes from the editor is had back by Ctrl+Z and by Up.
 */
import type { TakenBack } from '../../electron/contract/listener';
import type { FormEditor } from './form-editor';
import type { FormWalk } from './form-walk';

export class TakeBack {
  readonly #editor: FormEditor;
  readonly #walk: FormWalk;
  readonly #ask: () => Promise<TakenBack | undefined>;
  /** What came back last; while it stands as it came it is nothing that was typed. */
  #taken = '';

  constructor(editor: FormEditor, walk: FormWalk, ask: () => Promise<TakenBack | undefined>) {
    this.#editor = editor;
    this.#walk = walk;
    this.#ask = ask;
  }

  async press(): Promise<void> {
    const { text } = this.#editor;
    if (text !== '' && text !== this.#taken) return this.clear();
    const taken = await this.#ask();
    if (taken?.text) this.put(taken.text);
    else if (taken?.took === 'nothing' && this.#editor.text === text) this.clear();
  }

  /** What waited, above what was typed meanwhile. */
  put(text: string): void {
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
