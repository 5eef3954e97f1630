/** Texts that a server sends of one evaluation, as far as they are kept: it may send them without end. */

/** Characters of all together. */
const MOST_CHARACTERS = 16_000_000;

const MOST_TEXTS = 100_000;

export class KeptTexts {
  readonly texts: string[] = [];
  #characters = 0;

  add(text: string | undefined): void {
    if (text === undefined || this.texts.length >= MOST_TEXTS || this.#characters > MOST_CHARACTERS) return;
    this.#characters += text.length;
    this.texts.push(text);
  }
}
