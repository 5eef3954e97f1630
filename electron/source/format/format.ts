/**
 * Indents source text as the editors of its dialect do: Common Lisp and ACL2 as SLIME, Clojure as cljfmt.
 * Only blanks change: indentation, trailing blanks and tabs. The number of lines stays, and strings and
 * comments do not change.
 */
import type { Dialect } from '../dialect';
import { knownTree, readFile } from '../own-syntax';
import type { Source } from '../reader';
import { type Branch, firstForm, type SyntaxNode } from '../syntax-tree';
import { behindPrefixes, operatorOf } from '../top-level-forms';
import { COMMON_LISP_FUNCTIONS } from './common-lisp-functions';
import { standardShape } from './common-lisp-operators';
import { type Line, layOutLines, type OpenList, type Style } from './layout';
import {
  BODY,
  columnIn,
  form,
  isAllBody,
  ownOperators,
  type Shape,
  shapeInside,
  writtenShape,
  writtenStep,
} from './shape';

/**
 * Returns the formatted text. Text whose delimiters do not match is returned unchanged, and so are forms with
 * syntax of their own and text that would grow too much.
 */
export function formatSource(text: string, dialect: Dialect): string {
  return formattedOrNull(text, dialect) ?? text;
}

/** Returns null if the text is not formatted for one of these reasons. */
export function formattedOrNull(text: string, dialect: Dialect): string | null {
  const file = readFile(text, dialect);
  if (file.problem !== null || file.disputed) return null;
  const source = { ...file, tree: knownTree(file) };
  return layOutLines(source, dialect === 'clojure' ? new ClojureStyle(source) : new CommonLispStyle(source));
}

/**
 * Operators with a body after that many arguments. If the first form of the body is on the line of the
 * operator, the others are aligned with the first argument, as in a call.
 */
const BODY_AFTER: ReadonlyMap<string, number> = new Map(
  [
    'alt! alt!! comment cond delay do finally future go thread try with-out-str',
    'binding case cond-> cond->> defprotocol defstruct doseq dotimes doto extend extend-protocol extend-type for go-loop if if-let if-not if-some let let* letfn let-routes locking loop match ns struct-map testing when when-first when-let when-not when-some while with-local-vars with-open with-precision with-redefs',
    'are as-> catch condp defrecord deftype proxy',
  ].flatMap((names, count) => names.split(' ').map((name) => [name, count] as const)),
);

/**
 * Operators whose arguments are all body, in addition to names that start like definitions or with `with-`.
 */
const ALL_BODY: ReadonlySet<string> = new Set(
  'ANY DELETE GET HEAD OPTIONS PATCH POST PUT bound-fn context fdef fn reify rfn use-fixtures'.split(' '),
);
const ALL_BODY_NAME = /^(?:def(?!ault|late|er)|with-)/;

/** Operators that contain methods, which are indented as functions: `(reify Thing (name [this] …))`. */
const WITH_METHODS: ReadonlySet<string> = new Set(
  'defprotocol defrecord deftype extend-protocol extend-type proxy reify'.split(' '),
);

class ClojureStyle implements Style {
  readonly underPrefix = false;
  readonly #source: Source;

  constructor(source: Source) {
    this.#source = source;
  }

  column(line: Line): number {
    const { list, place } = line;
    const { text } = this.#source;
    if (place === 0 || text[list.branch.start] !== '(' || list.prefix.startsWith('#?'))
      return list.column + 1;
    const operator = this.#operator(list);
    const bodyAfter = BODY_AFTER.get(operator);
    if (bodyAfter !== undefined) return this.#blockColumn(line, bodyAfter);
    if (ALL_BODY.has(operator) || ALL_BODY_NAME.test(operator) || this.#isMethod(list))
      return list.column + BODY;
    return callColumn(line);
  }

  #blockColumn(line: Line, bodyAfter: number): number {
    const { list, place } = line;
    if (place <= bodyAfter) return callColumn(line);
    const first = list.elements[bodyAfter + 1];
    return first === undefined || first.beginsLine ? list.column + BODY : callColumn(line);
  }

  #isMethod({ parent, place }: OpenList): boolean {
    if (parent === null) return false;
    if (this.#isList(parent)) return place > 0 && WITH_METHODS.has(this.#operator(parent));
    // `letfn` has its functions in a vector, its first argument.
    const { parent: around, place: placeAround } = parent;
    return around !== null && placeAround === 1 && this.#operator(around) === 'letfn';
  }

  #isList({ branch }: OpenList): boolean {
    return this.#source.text[branch.start] === '(';
  }

  /** Returns an empty string unless it is a symbol. */
  #operator({ branch }: OpenList): string {
    const operator = firstForm(branch);
    if (operator === undefined) return '';
    const { kind, start, end } = behindPrefixes(operator);
    return kind === 'token' ? this.#source.text.slice(start, end).replace(/^[^/]+\/(?=.)/, '') : '';
  }
}

/** Returns the column of the first argument, or of the operator if there is none. */
function callColumn({ list: { column, elements }, place }: Line): number {
  return place < 2 ? column + 1 : (elements[1]?.column ?? column + 1);
}

const SURROUNDING = /^(?:with|without|do)-/;
const DEFINING = /^def(?!ault|inition|iner)/;

/** Quoted data is aligned with its first element. */
const DATA: Shape = [1];

class CommonLispStyle implements Style {
  readonly underPrefix = true;
  readonly #source: Source;
  readonly #own: ReadonlyMap<string, Shape>;
  readonly #shapes = new WeakMap<Branch, Shape>();

  constructor(source: Source) {
    this.#source = source;
    this.#own = ownOperators(source);
  }

  column(line: Line): number {
    if (line.place === 0) return line.list.column + 1;
    return this.#keywordColumn(line) ?? columnIn(this.#shapeOf(line.list), line, this.#source.text);
  }

  #shapeOf(list: OpenList): Shape {
    const known = this.#shapes.get(list.branch);
    if (known !== undefined) return known;
    for (const outer of outermostFirst(list, this.#shapes)) this.#shapeOf(outer);
    const shape = isQuoted(list) ? DATA : (this.#role(list) ?? this.#known(list) ?? this.#guess(list));
    this.#shapes.set(list.branch, shape);
    return shape;
  }

  /** Returns the shape that the enclosing list gives it, as `let` does for its bindings. */
  #role({ parent, place, prefix }: OpenList): Shape | null {
    const isPart = prefix === '' || prefix === '#+' || prefix === '#-';
    return parent !== null && isPart ? shapeInside(this.#shapeOf(parent), place) : null;
  }

  #known({ branch }: OpenList): Shape | null {
    const operator = this.#operator(branch);
    return this.#own.get(operator) ?? standardShape(operator, branch);
  }

  #guess(list: OpenList): Shape {
    const operator = this.#operator(list.branch);
    if (list.parent !== null && this.#shapeOf(list.parent) === DATA) return DATA;
    if (COMMON_LISP_FUNCTIONS.has(operator) || operator.startsWith(':')) return 'call';
    if (DEFINING.test(operator)) return form(4, writtenStep(list, 2, this.#source), BODY);
    if (SURROUNDING.test(operator))
      return isAllBody(list, this.#source) ? { bodyAfter: 0 } : form('parameters', BODY);
    return operator === '' ? 'call' : writtenShape(list, this.#source);
  }

  /** Returns an empty string unless it is a symbol. */
  #operator(list: Branch): string {
    return operatorOf(list, this.#source)?.toLowerCase() ?? '';
  }

  /** Aligns keyword arguments if the operator is unknown. */
  #keywordColumn({ list, node, place }: Line): number | null {
    if (node === null || !this.#isKeyword(node) || isQuoted(list) || this.#known(list) !== null) return null;
    const { elements } = list;
    let first = place;
    // A keyword that starts a line is already aligned with the first one.
    while (first >= 2 && !elements[first]?.beginsLine && this.#isKeyword(elements[first - 2]?.node))
      first -= 2;
    return elements[first]?.column ?? null;
  }

  #isKeyword(node: SyntaxNode | undefined): boolean {
    return node !== undefined && this.#source.text.startsWith(':', node.start);
  }
}

/**
 * Returns the enclosing lists without a known shape, outermost first. Lists may be as deep as the text is
 * long, so this does not recur.
 */
function outermostFirst({ parent }: OpenList, known: WeakMap<Branch, Shape>): OpenList[] {
  const around: OpenList[] = [];
  for (let at = parent; at !== null && !known.has(at.branch); at = at.parent) around.push(at);
  return around.reverse();
}

function isQuoted({ prefix }: OpenList): boolean {
  return prefix === "'" || prefix === '#';
}
