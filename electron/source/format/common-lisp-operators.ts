/** Indentation of the operators of Common Lisp, ACL2 and some widespread libraries. */
import { type Branch, formsOf } from '../syntax-tree';
import { isList } from '../top-level-forms';
import type { Element, Line } from './layout';
import { BODY, callColumn, form, PARAMETERS, type Shape, type Step } from './shape';

const KEYWORDS = {
  /** Loop keywords that any number of forms follow. */
  forms: /^(?:#?:)?(?:do|doing|finally|initially)$/i,
  /** Loop keywords that an indented clause follows. */
  condition: /^(?:#?:)?(?:when|unless|if)$/i,
  joining: /^(?:#?:)?(?:and|else)$/i,
  and: /^(?:#?:)?and$/i,
  else: /^(?:#?:)?else$/i,
  end: /^(?:#?:)?end$/i,
  /** Loop keywords that one form follows. */
  withForm:
    /^(?:#?:)?(?:return|into|while|until|repeat|always|never|thereis|(?:collect|append|nconc|count|sum|maximiz|minimiz)(?:e|ing)?)$/i,
  /** Loop keywords of clauses that no condition contains. */
  main: /^(?:#?:)?(?:for|as|with|named|initially|finally|while|until|repeat|always|never|thereis)$/i,
  /** Loop keywords of clauses that a condition can contain, besides conditions. */
  selectable: /^(?:#?:)?(?:do|doing|return|(?:collect|append|nconc|count|sum|maximiz|minimiz)(?:e|ing)?)$/i,
  /** Loop keywords that continue a clause. */
  inClause:
    /^(?:#?:)?(?:(?:up|down)?from|(?:up|down)?to|below|above|in(?:to)?|on|=|then|across|being|each|the|of|of-type|using|by)$/i,
} as const;

/** Indentation of forms under a keyword on a line of its own. */
const UNDER_KEYWORD = 3;

/** Maximum number of lines that are searched for the clause that `and` continues. */
const MOST_LINES = 100;

const loopShape: Shape = {
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

/** An extended loop up to a line. Clauses are aligned, and forms go under the first form of their clause. */
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
    const condition = this.#conditionOf(written);
    if (condition !== null) return condition;
    const before = this.#line.list.elements.at(-1);
    if (KEYWORDS.and.test(written) && before?.beginsLine && this.#is(before, KEYWORDS.end))
      return before.column;
    const continued = this.#continued();
    if (continued !== null && KEYWORDS.selectable.test(written)) return continued;
    if (KEYWORDS.inClause.test(written)) return clause.start + BODY;
    return KEYWORDS.and.test(written) ? (this.#joined(clause.forms) ?? clause.next) : clause.next;
  }

  /**
   * Returns the columns that the previous line determines: of its clause, of forms, and of the next clause.
   */
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
    // The clause of ELSE IF goes under ELSE.
    const indented = this.#is(head, KEYWORDS.else) ? head : start;
    return {
      start: start.column,
      forms: before.column,
      next: indents ? indented.column + BODY : base,
      inForms: false,
    };
  }

  /** Returns the first element of a line, and the first element of its clause after `and` or `else`. */
  #lineOf(at: number): { head: Element; headPlace: number; start: Element; startPlace: number } {
    const { elements } = this.#line.list;
    let headPlace = Math.max(1, at);
    while (headPlace > 1 && elements[headPlace]?.beginsLine === false) headPlace -= 1;
    const head = elements[headPlace] ?? this.#first;
    let startPlace = headPlace;
    while (startPlace < at && this.#is(elements[startPlace] ?? head, KEYWORDS.joining)) startPlace += 1;
    return { head, headPlace, start: elements[startPlace] ?? head, startPlace };
  }

  /** Aligns `and` with the clause that it continues. */
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

  /** Returns the column of the condition to which an ELSE or END at the beginning of the line belongs. */
  #conditionOf(written: string): number | null {
    if (!KEYWORDS.else.test(written) && !KEYWORDS.end.test(written)) return null;
    const open = this.#openConditions();
    const own = KEYWORDS.else.test(written) ? open.findLast(({ hasElse }) => !hasElse) : open.at(-1);
    return own ? this.#lineColumn(own.place) : null;
  }

  /** Returns the column of a clause after AND or ELSE at the end of a line. */
  #continued(): number | null {
    const { elements } = this.#line.list;
    const last = elements.length - 1;
    const before = elements[last];
    if (before === undefined || before.beginsLine) return null;
    if (this.#is(before, KEYWORDS.and)) return this.#lineOf(last - 1).start.column;
    if (!this.#is(before, KEYWORDS.else)) return null;
    const own = this.#openConditions().at(-1);
    return own ? this.#lineColumn(own.place) + BODY : null;
  }

  /** Returns the column of the line that contains the element: that of the element if it begins the line. */
  #lineColumn(place: number): number {
    return this.#lineOf(place).head.column;
  }

  /** Returns the conditions that are open before the line, outermost first (CLHS 6.1.6). */
  #openConditions(): { place: number; hasElse: boolean }[] {
    const { elements } = this.#line.list;
    let open: { place: number; hasElse: boolean }[] = [];
    let wanted = false;
    for (let place = 1; place < elements.length; place += 1) {
      const element = elements[place] ?? this.#first;
      if (this.#is(element, KEYWORDS.condition)) {
        if (!wanted) open = [];
        open.push({ place, hasElse: false });
        wanted = true;
        place += 1;
      } else if (this.#is(element, KEYWORDS.else)) {
        while (open.at(-1)?.hasElse) open.pop();
        const own = open.at(-1);
        if (own) own.hasElse = true;
        wanted = true;
      } else if (this.#is(element, KEYWORDS.and)) wanted = true;
      else if (this.#is(element, KEYWORDS.end)) open.pop();
      else if (this.#is(element, KEYWORDS.main) || (this.#is(element, KEYWORDS.selectable) && !wanted))
        open = [];
      if (this.#is(element, KEYWORDS.selectable)) wanted = false;
      if (this.#is(element, KEYWORDS.withForm)) place += 1;
    }
    return open;
  }

  #is({ node }: Element, keyword: RegExp): boolean {
    return keyword.test(this.#text.slice(node.start, node.end));
  }
}

/** Indentation of a tag. */
const TAG = 1;

/** Consecutive forms, the first with a step of its own. */
const eachOf = (inside: Shape): Step => ({ at: BODY, inside });

const BINDINGS = form({ at: 4, inside: [{ at: 1, inside: [1, 2] }] }, BODY);
const FUNCTIONS = form({ at: 4, inside: [{ at: 1, inside: [1, 'parameters', BODY] }] }, BODY);
const CLAUSES = form(4, eachOf([1]));
const HANDLERS = form(4, eachOf([1, { at: BODY, inside: PARAMETERS }, BODY]));
const ITERATION = form({ at: 4, inside: [1] }, BODY);
const DEFINITION = form(4, 'parameters', BODY);
const CLASS = form(6, { at: 4, inside: [1] }, { at: BODY, inside: [1] });
const STRUCTURE = form({ at: 4, inside: 'call' }, eachOf([1]));
const VALUES = form({ at: 6, inside: [1] }, 4, BODY);
const OPTIONS = form({ at: 4, inside: [1] }, BODY);

/** Statements from an index on, with tags, which are elements that are no list. */
const statements = (first: number, indent: number): Shape => ({
  column(line, text) {
    const { list, node, place } = line;
    if (place < first) return callColumn(line);
    return list.column + (node === null || text.startsWith('(', node.start) ? indent : TAG);
  },
});

const SHAPES: readonly (readonly [names: string, shape: Shape])[] = [
  ['progn pprogn er-progn return', { bodyAfter: 0 }],
  [
    'awhen b* block catch er-let* eval-when if-let if-let* locally mbe-let multiple-value-prog1 once-only prog1 throw unless unless-let until when when-let when-let* while',
    { bodyAfter: 1 },
  ],
  ['prog2', { bodyAfter: 2 }],
  ['let let* symbol-macrolet compiler-let handler-bind restart-bind', BINDINGS],
  ['flet labels macrolet generic-flet generic-labels', FUNCTIONS],
  ['case ccase ecase typecase etypecase ctypecase case-match', CLAUSES],
  ['cond', form(eachOf('call'))],
  ['handler-case restart-case', HANDLERS],
  ['dolist dotimes', ITERATION],
  [
    'defun defmacro deftype defgeneric define-setf-expander define-modify-macro define-compiler-macro',
    DEFINITION,
  ],
  ['defclass define-condition', CLASS],
  ['defstruct', STRUCTURE],
  [
    'defvar defparameter defconstant defpackage multiple-value-call multiple-value-setq pprint-logical-block with-output-to-string',
    form(4, BODY),
  ],
  ['destructuring-bind', form('parameters', 4, BODY)],
  ['multiple-value-bind mv-let with-accessors with-slots with-condition-restarts', VALUES],
  ['print-unreadable-object with-compilation-unit', OPTIONS],
  ['progv', form(4, 4, BODY)],
  ['unwind-protect', form(5, BODY)],
  ['return-from', form('call', BODY)],
  ['with-standard-io-syntax', form(BODY)],
  ['lambda', form('parameters', BODY)],
  [':constructor', form(4, 'parameters')],
  ['named-lambda', DEFINITION],
  ['loop', loopShape],
  ['tagbody', statements(1, 3)],
  ['prog prog*', statements(2, 3)],
  ['do do*', statements(3, BODY)],
  ['if', 'call'],
];

const BY_NAME = new Map(SHAPES.flatMap(([names, shape]) => names.split(' ').map((name) => [name, shape])));

/** Returns null for other operators. */
export function standardShape(operator: string, list: Branch): Shape | null {
  switch (operator) {
    case 'defmethod':
    case ':method':
      return methodShape(list, operator === 'defmethod');
    case 'defsetf':
      return formsOf(list)[2]?.kind === 'list' ? form(4, 'parameters', 4, BODY) : form(4, 4, BODY);
    default:
      return BY_NAME.get(operator) ?? null;
  }
}

/** Qualifiers are between the name and the lambda list. */
function methodShape(list: Branch, named: boolean): Shape {
  const [, ...rest] = formsOf(list);
  const parameters = rest.findIndex((node, place) => isList(node) && (place > 0 || !named));
  const before = Array.from({ length: Math.max(0, parameters) }, (): Step => 4);
  return form(...before, 'parameters', BODY);
}
