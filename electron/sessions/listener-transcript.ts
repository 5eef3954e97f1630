/** What a listener has shown and what was typed into it, as a window that joins later is shown it. */

/** Characters that are kept of it. */
const LIMIT = 500_000;

export class ListenerTranscript {
  #text = '';
  #fresh = true;

  get text(): string {
    return this.#text;
  }

  /** Whether it is at the start of a line. */
  get isFresh(): boolean {
    return this.#fresh;
  }

  add(text: string): void {
    this.#text = (this.#text + text).slice(-LIMIT);
    this.#fresh = text.endsWith('\n');
  }
}
