/** How much text one result may carry: hands out characters until there are no more, and knows whether any were refused. */
import { beginning } from '../history/cut-text';

/** What an item of a list costs beside its texts, so that a list without texts ends too. */
const ITEM_COST = 16;

export class Allowance {
  #left: number;
  #exceeded = false;
  readonly #leftOut = new Map<string, number>();

  /** @param total characters for all texts together, the marks of what was cut apart */
  constructor(total: number) {
    this.#left = total;
  }

  /** Whether anything has been left out. */
  get exceeded(): boolean {
    return this.#exceeded;
  }

  /** What lists have left out, such as "12 warnings". */
  get leftOut(): string[] {
    return [...this.#leftOut].map(([what, count]) => `${count} ${what}`);
  }

  /** The beginning of `text`: at most `limit` characters, and a mark that counts the others.
   * @param length of all, where `text` itself is only its beginning */
  head(text: string, limit: number, length = text.length): string {
    const room = this.#spend(text, limit);
    if (length <= room) return text;
    this.#exceeded = true;
    const kept = beginning(text, room);
    return `${kept}… ${length - kept.length} more characters`;
  }

  /** Both ends of `text`: at most `limit` characters, and a mark between them that counts the others. */
  ends(text: string, limit: number): string {
    const room = this.#spend(text, limit);
    if (text.length <= room) return text;
    const first = beginning(text, Math.ceil(room / 2));
    const last = ending(text, Math.floor(room / 2));
    return `${first}\n… ${text.length - first.length - last.length} characters …\n${last}`;
  }

  /** The first of `items`, each as `shorten` makes it, until nothing is left.
   * @param what the items are, in the plural: the others are counted under that word */
  first<T, S = T>(items: readonly T[], what: string, shorten: (item: T, place: number) => S): S[] {
    const fitting: S[] = [];
    for (const [place, item] of items.entries()) {
      if (this.#left < ITEM_COST) break;
      this.#left -= ITEM_COST;
      fitting.push(shorten(item, place));
    }
    const missing = items.length - fitting.length;
    if (missing > 0) {
      this.#exceeded = true;
      this.#leftOut.set(what, (this.#leftOut.get(what) ?? 0) + missing);
    }
    return fitting;
  }

  /** The first whole lines of `text`: at most `limit` characters of them. */
  lines(text: string, limit: number): string {
    const room = this.#spend(text, limit);
    if (text.length <= room) return text;
    return text.slice(0, Math.max(text.lastIndexOf('\n', room), 0));
  }

  /** How many characters of `text` there is room for. */
  #spend(text: string, limit: number): number {
    const room = Math.min(text.length, limit, this.#left);
    this.#left -= room;
    if (room < text.length) this.#exceeded = true;
    return room;
  }
}

/** The longest end of `text` of at most `limit` characters that begins with a whole one. */
function ending(text: string, limit: number): string {
  const end = text.slice(text.length - limit);
  return /^[\uDC00-\uDFFF]/.test(end) ? end.slice(1) : end;
}
