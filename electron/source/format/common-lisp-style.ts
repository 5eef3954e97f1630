/** Lines of Common Lisp and ACL2 as SLIME begins them; which operators have a body is told without an image. */
import { operatorOf } from '../form-name';
import type { Source } from '../reader';
import type { Branch, SyntaxNode } from '../syntax-tree';
import { COMMON_LISP_FUNCTIONS } from './common-lisp-functions';
import { standardShape } from './common-lisp-operators';
import { ownOperators } from './own-operators';
import { BODY, columnIn, form, type Shape, shapeInside } from './shape';
import type { Line, OpenList, Style } from './style';
import { isAllBody, writtenShape, writtenStep } from './written-shape';

const SURROUNDING = /^(?:with|without|do)-/;
const DEFINING = /^def(?!ault|inition|iner)/;

/** What is quoted goes under its first element. */
const DATA: Shape = [1];

export class CommonLispStyle implements Style {
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

  /** What the list around says, as `let` does of its bindings. */
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

  /** Empty for what is no symbol. */
  #operator(list: Branch): string {
    return operatorOf(list, this.#source)?.toLowerCase() ?? '';
  }

  /** Keyword arguments line up, where nothing else is known of the operator. */
  #keywordColumn({ list, node, place }: Line): number | null {
    if (node === null || !this.#isKeyword(node) || isQuoted(list) || this.#known(list) !== null) return null;
    const { elements } = list;
    let first = place;
    // One that begins a line stands under the first already.
    while (first >= 2 && !elements[first]?.beginsLine && this.#isKeyword(elements[first - 2]?.node))
      first -= 2;
    return elements[first]?.column ?? null;
  }

  #isKeyword(node: SyntaxNode | undefined): boolean {
    return node !== undefined && this.#source.text.startsWith(':', node.start);
  }
}

/** The lists around it of which nothing is known yet: lists may be as deep as the text is long. */
function outermostFirst({ parent }: OpenList, known: WeakMap<Branch, Shape>): OpenList[] {
  const around: OpenList[] = [];
  for (let at = parent; at !== null && !known.has(at.branch); at = at.parent) around.push(at);
  return around.reverse();
}

function isQuoted({ prefix }: OpenList): boolean {
  return prefix === "'" || prefix === '#';
}
