/** Lines of Clojure as cljfmt begins them by default, which is how the community's style guide has it. */
import { behindPrefixes } from '../form-name';
import type { Source } from '../reader';
import { firstForm } from '../syntax-tree';
import type { Line, OpenList, Style } from './style';

/** What a body is indented by. */
const BODY = 2;

/**
 * Operators with a body after so many arguments. Where the first form of the body stands beside them, the rest goes under
 * the first argument, as in a call.
 */
const BODY_AFTER: ReadonlyMap<string, number> = new Map(
  [
    'alt! alt!! comment cond delay do finally future go thread try with-out-str',
    'binding case cond-> cond->> defprotocol defstruct doseq dotimes doto extend extend-protocol extend-type for go-loop if if-let if-not if-some let let* letfn let-routes locking loop match ns struct-map testing when when-first when-let when-not when-some while with-local-vars with-open with-precision with-redefs',
    'are as-> catch condp defrecord deftype proxy',
  ].flatMap((names, count) => names.split(' ').map((name) => [name, count] as const)),
);

/** Operators all of whose arguments are their body; so are those of names that begin as defining or `with-`. */
const ALL_BODY: ReadonlySet<string> = new Set(
  'ANY DELETE GET HEAD OPTIONS PATCH POST PUT bound-fn context fdef fn reify rfn use-fixtures'.split(' '),
);
const ALL_BODY_NAME = /^(?:def(?!ault|late|er)|with-)/;

/** Operators that take methods, which are indented as functions are: `(reify Thing (name [this] …))`. */
const WITH_METHODS: ReadonlySet<string> = new Set(
  'defprotocol defrecord deftype extend-protocol extend-type proxy reify'.split(' '),
);

export class ClojureStyle implements Style {
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

  /** Empty for what is no symbol. */
  #operator({ branch }: OpenList): string {
    const operator = firstForm(branch);
    if (operator === undefined) return '';
    const { kind, start, end } = behindPrefixes(operator);
    return kind === 'token' ? this.#source.text.slice(start, end).replace(/^[^/]+\/(?=.)/, '') : '';
  }
}

/** Under the first argument where there is one, else under the operator. */
function callColumn({ list: { column, elements }, place }: Line): number {
  return place < 2 ? column + 1 : (elements[1]?.column ?? column + 1);
}
