/** Lines of `loop`: clauses line up, and forms go under the first form of their clause. */
import { BODY, type Shape } from './shape';
import type { Element, Line } from './style';

const KEYWORDS = {
  /** Forms follow, as many as there are. */
  forms: /^(?:#?:)?(?:do|doing|finally|initially)$/i,
  /** Another clause follows, which is indented. */
  condition: /^(?:#?:)?(?:when|unless|if)$/i,
  joining: /^(?:#?:)?(?:and|else)$/i,
  and: /^(?:#?:)?and$/i,
  /** They go on with a clause. */
  inClause:
    /^(?:#?:)?(?:(?:up|down)?from|(?:up|down)?to|below|above|in(?:to)?|on|=|then|across|being|each|the|of|of-type|using|by)$/i,
} as const;

/** What a line of forms is indented by, from the keyword that stands alone before it. */
const UNDER_KEYWORD = 3;

/** Lines of a clause among which `and` looks for what it goes on with. */
const MOST_LINES = 100;

export const loopShape: Shape = {
  column(line, text) {
    const { list, place } = line;
    const [, first] = list.elements;
    if (place < 2 || first === undefined) return list.column + BODY;
    return isForm(first, text) ? first.column : new Clauses(line, first, text).column();
  },
};

function isForm({ node }: Element, text: string): boolean {
  return text.startsWith('(', node.start);
}

/** An extended loop, up to a line. */
class Clauses {
  readonly #line: Line;
  readonly #first: Element;
  readonly #text: string;

  constructor(line: Line, first: Element, text: string) {
    this.#line = line;
    this.#first = first;
    this.#text = text;
  }

  column(): number {
    const { node } = this.#line;
    const clause = this.#clause();
    if (node?.kind === 'comment') return clause.inForms ? clause.forms : clause.next;
    const written = node === null ? '' : this.#text.slice(node.start, node.end);
    if (written.startsWith('(')) return clause.forms;
    if (KEYWORDS.inClause.test(written)) return clause.start + BODY;
    return KEYWORDS.and.test(written) ? (this.#joined(clause.forms) ?? clause.next) : clause.next;
  }

  /** What the line above says: where its clause begins, and where forms and the next clause do. */
  #clause(): { start: number; forms: number; next: number; inForms: boolean } {
    const { elements } = this.#line.list;
    const last = elements.length - 1;
    const base = this.#first.column;
    const { head, start, startPlace } = this.#lineOf(last);
    const before = elements[last] ?? this.#first;
    const usual = { start: start.column, next: base, inForms: true };
    if (this.#is(before, KEYWORDS.forms)) {
      if (before === head) return { ...usual, forms: before.column + UNDER_KEYWORD };
      return { ...usual, forms: (head.beginsLine ? head.column : this.#line.list.column) + BODY };
    }
    if (isForm(start, this.#text)) return { ...usual, forms: start.column };
    if (this.#is(start, KEYWORDS.forms))
      return { ...usual, forms: elements[startPlace + 1]?.column ?? start.column };
    const indents = this.#is(start, KEYWORDS.condition) || this.#is(start, KEYWORDS.joining);
    return {
      start: start.column,
      forms: before.column,
      next: indents ? start.column + BODY : base,
      inForms: false,
    };
  }

  /** What the line of an element begins with, and what its clause begins with, behind `and` or `else`. */
  #lineOf(at: number): { head: Element; headPlace: number; start: Element; startPlace: number } {
    const { elements } = this.#line.list;
    let headPlace = Math.max(1, at);
    while (headPlace > 1 && elements[headPlace]?.beginsLine === false) headPlace -= 1;
    const head = elements[headPlace] ?? this.#first;
    let startPlace = headPlace;
    while (startPlace < at && this.#is(elements[startPlace] ?? head, KEYWORDS.joining)) startPlace += 1;
    return { head, headPlace, start: elements[startPlace] ?? head, startPlace };
  }

  /** `and` goes under the clause that it goes on with. */
  #joined(forms: number): number | null {
    let at = this.#line.list.elements.length - 1;
    for (let line = 0; at > 0 && line < MOST_LINES; line += 1) {
      const { head, headPlace, start } = this.#lineOf(at);
      if (head.column < forms && head.node.kind === 'token')
        return this.#is(head, KEYWORDS.and) ? head.column : start.column;
      at = headPlace - 1;
    }
    return null;
  }

  #is({ node }: Element, keyword: RegExp): boolean {
    return keyword.test(this.#text.slice(node.start, node.end));
  }
}
