/**
 * Shapes: how many columns each element of a list is indented if it starts a line, for known, defined and
 * unknown operators.
 */
import type { Source } from '../reader';
import { formsOf, isBranch, type SyntaxNode } from '../syntax-tree';
import { topLevelForms } from '../top-level-forms';
import { columnAfter, type Line, type OpenList } from './layout';

/** Indentation of a body. */
export const BODY = 2;

/** Indentation of an argument before a body. */
const ARGUMENT = 4;

export type Shape =
  /** A step for each index, including the operator; the last applies to all further elements. */
  | readonly Step[]
  /** A body after that many arguments. If its first form starts no line, all are aligned as in a call. */
  | { bodyAfter: number }
  /** Aligned as the arguments of a function call. */
  | 'call'
  | { column: (line: Line, text: string) => number; inside?: Shape };

/** `parameters`: a lambda list before a body. */
export type Step = number | 'call' | 'parameters' | Inside;

/** A nested list with a shape of its own. */
interface Inside {
  at: number;
  inside: Shape;
}

/** Returns the shape of a form whose arguments have these steps. */
export function form(...steps: readonly Step[]): Shape {
  return [1, ...steps];
}

/** @param line of an element other than the operator */
export function columnIn(shape: Shape, line: Line, text: string): number {
  const { list, node, place } = line;
  if (shape === 'call') return callColumn(line);
  if ('column' in shape) return shape.column(line, text);
  if ('bodyAfter' in shape) return bodyColumn(line, shape.bodyAfter);
  const step = stepAt(shape, place);
  if (step === 'parameters') return list.column + (node?.kind === 'list' ? ARGUMENT : BODY);
  if (step === 'call') return callColumn(line);
  if (typeof step === 'number') return list.column + step;
  const first = place >= shape.length ? list.elements[shape.length - 1] : undefined;
  return first === undefined || first.beginsLine ? list.column + step.at : callColumn(line);
}

/** Returns the shape of the nested list at an index; null if it has none. */
export function shapeInside(shape: Shape, place: number): Shape | null {
  if (shape === 'call' || 'bodyAfter' in shape) return null;
  if ('column' in shape) return shape.inside ?? null;
  const step = stepAt(shape, place);
  if (step === 'parameters') return PARAMETERS;
  return typeof step === 'object' ? step.inside : null;
}

function stepAt(steps: readonly Step[], place: number): Step {
  return steps[Math.min(place, steps.length - 1)] ?? 'call';
}

function bodyColumn(line: Line, bodyAfter: number): number {
  const { list, place } = line;
  if (place <= bodyAfter) return list.column + ARGUMENT;
  const first = list.elements[bodyAfter + 1];
  return first === undefined || first.beginsLine ? list.column + BODY : callColumn(line);
}

/**
 * A lambda list. Parameters are indented from the preceding lambda list keyword; keywords and parameters
 * before them are aligned.
 */
export const PARAMETERS: Shape = {
  column({ list: { column, elements }, node }, text) {
    const isKeyword = ({ start }: SyntaxNode): boolean => text.startsWith('&', start);
    if (node !== null && isKeyword(node)) return column + 1;
    // Elements that start a line have the column that this one would get.
    const last = elements.findLast((element) => isKeyword(element.node) || element.beginsLine);
    if (last === undefined) return column + 1;
    return isKeyword(last.node) ? last.column + BODY : last.column;
  },
  inside: [1],
};

/**
 * Returns the column of the first argument if that is on the line of the operator, else the column of the
 * operator, as for a list in operator position.
 */
export function callColumn({ list: { column, elements }, place }: Line): number {
  const [operator, argument] = elements;
  const onSameLine = place > 1 && operator?.node.kind !== 'list' && argument?.beginsLine === false;
  return onSameLine ? argument.column : column + 1;
}

/**
 * Returns the shapes of operators that the file defines: macros with `&body`, and functions; by name in lower
 * case without package.
 */
export function ownOperators(source: Source): Map<string, Shape> {
  const own = new Map<string, Shape>();
  for (const { type, name, form } of topLevelForms(source)) {
    const defines = type.toLowerCase();
    if (name === null || !isBranch(form)) continue;
    if (defines === 'defun' || defines === 'defgeneric') own.set(name.name, 'call');
    if (defines !== 'defmacro') continue;
    const bodyAfter = parametersBeforeBody(formsOf(form)[2], source);
    if (bodyAfter !== null) own.set(name.name, { bodyAfter });
  }
  return own;
}

/** Returns null for a lambda list without `&body`. */
function parametersBeforeBody(parameters: SyntaxNode | undefined, { text }: Source): number | null {
  if (parameters === undefined || !isBranch(parameters)) return null;
  const written = formsOf(parameters).map(({ start, end }) => text.slice(start, end).toLowerCase());
  const body = written.indexOf('&body');
  if (body < 0) return null;
  const before = written.slice(0, body);
  // `&whole` and `&environment` parameters are not arguments.
  const apart = before.filter((name) => name === '&whole' || name === '&environment').length;
  return before.filter((name) => !name.startsWith('&')).length - apart;
}

/**
 * Returns the shape that the present indentation of an unknown operator suggests. Its author knew whether it
 * has a body, and moving the body of a macro under its first argument would be worse than leaving it.
 * Arguments before a body are indented by four columns, the body by two.
 */
export function writtenShape(list: OpenList, source: Source): Shape {
  for (const [place, node] of formsOf(list.branch).entries()) {
    const indent = place === 0 ? null : writtenIndent(node, list, source);
    if (indent === BODY) return { bodyAfter: place - 1 };
    if (indent !== null && indent !== ARGUMENT) break;
  }
  return 'call';
}

/**
 * Returns the step that the present indentation suggests for an index in a defining form: a lambda list, or
 * the start of a body.
 */
export function writtenStep(list: OpenList, place: number, source: Source): Step {
  const node = formsOf(list.branch)[place];
  return node !== undefined && writtenIndent(node, list, source) === ARGUMENT ? ARGUMENT : BODY;
}

/**
 * Reports whether the first argument is indented as a body, as after `(without-interrupts` on a line of its
 * own.
 */
export function isAllBody(list: OpenList, source: Source): boolean {
  const first = formsOf(list.branch)[1];
  return first !== undefined && writtenIndent(first, list, source) === BODY;
}

/** Returns the indentation relative to the list; null for an element that does not start a line. */
function writtenIndent({ start }: SyntaxNode, list: OpenList, { text }: Source): number | null {
  let begin = start;
  while (text[begin - 1] === ' ' || text[begin - 1] === '\t') begin -= 1;
  if (begin > 0 && text[begin - 1] !== '\n') return null;
  return columnAfter(text.slice(begin, start), 0) - list.written;
}
