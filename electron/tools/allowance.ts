/**
 * Limits the total text of one result. Hands out characters until none remain and records whether any text
 * was omitted.
 */
import { beginning } from '../history/long-text';

/** Characters that one list item costs in addition to its texts. Bounds lists whose items have no text. */
const ITEM_COST = 16;

export class Allowance {
  #remaining: number;
  #exceeded = false;
  readonly #omitted = new Map<string, number>();

  /** @param total characters for all texts together, without the marks that show a cut */
  constructor(total: number) {
    this.#remaining = total;
  }

  /** Reports whether any text or item was omitted. */
  get exceeded(): boolean {
    return this.#exceeded;
  }

  /** Returns what lists omitted, such as "12 warnings". */
  get omitted(): string[] {
    return [...this.#omitted].map(([what, count]) => `${count} ${what}`);
  }

  /**
   * Returns at most `limit` characters from the start of `text`, followed by a mark that counts the rest.
   * @param length length of the whole text, where `text` is only its start
   */
  head(text: string, limit: number, length = text.length): string {
    const room = this.#spend(text, limit);
    if (length <= room) return text;
    this.#exceeded = true;
    const start = beginning(text, room);
    return `${start}… ${length - start.length} more characters`;
  }

  /**
   * Returns at most `limit` characters from both ends of `text`, with a mark between them that counts the
   * rest.
   */
  ends(text: string, limit: number): string {
    const room = this.#spend(text, limit);
    if (text.length <= room) return text;
    const first = beginning(text, Math.ceil(room / 2));
    const last = ending(text, Math.floor(room / 2));
    return `${first}\n… ${text.length - first.length - last.length} characters …\n${last}`;
  }

  /**
   * Returns the first `items`, converted by `shorten`, until the allowance is used up.
   * @param what plural noun for the items; the omitted ones are counted under it
   */
  first<T, S = T>(items: readonly T[], what: string, shorten: (item: T, place: number) => S): S[] {
    const fitting: S[] = [];
    for (const [place, item] of items.entries()) {
      if (this.#remaining < ITEM_COST) break;
      this.#remaining -= ITEM_COST;
      fitting.push(shorten(item, place));
    }
    const missing = items.length - fitting.length;
    if (missing > 0) {
      this.#exceeded = true;
      this.#omitted.set(what, (this.#omitted.get(what) ?? 0) + missing);
    }
    return fitting;
  }

  /** Returns the first whole lines of `text`, at most `limit` characters. */
  lines(text: string, limit: number): string {
    const room = this.#spend(text, limit);
    if (text.length <= room) return text;
    return text.slice(0, Math.max(text.lastIndexOf('\n', room), 0));
  }

  /** Returns the number of characters of `text` that fit, and spends them. */
  #spend(text: string, limit: number): number {
    const room = Math.min(text.length, limit, this.#remaining);
    this.#remaining -= room;
    if (room < text.length) this.#exceeded = true;
    return room;
  }
}

/**
 * Returns the longest suffix of `text` of at most `limit` characters that does not start inside a surrogate
 * pair.
 */
function ending(text: string, limit: number): string {
  const end = text.slice(text.length - limit);
  return /^[\uDC00-\uDFFF]/.test(end) ? end.slice(1) : end;
}
