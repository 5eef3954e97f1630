/** How the elements of a list are indented if they begin a line: by steps from its opening parenthesis, one for each place. */
import type { SyntaxNode } from '../syntax-tree';
import type { Line } from './style';

/** What a body is indented by. */
export const BODY = 2;

/** What an argument before a body is indented by. */
const ARGUMENT = 4;

export type Shape =
  /** For each place, the operator's included; the last is that of all that follow. */
  | readonly Step[]
  /** After so many arguments comes a body. Where its first form stands beside them, the rest goes as in a call. */
  | { bodyAfter: number }
  /** As a function is called. */
  | 'call'
  | { column: (line: Line, text: string) => number; inside?: Shape };

/** `parameters`: a lambda list, before a body. */
export type Step = number | 'call' | 'parameters' | Inside;

/** A list that has a shape of its own. */
export interface Inside {
  at: number;
  inside: Shape;
}

/** The shape of a form whose operator takes arguments of these steps. */
export function form(...steps: readonly Step[]): Shape {
  return [1, ...steps];
}

/** @param line whose place is not that of the operator */
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

/** What the list at that place of a list of this shape is like; null where nothing is said. */
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

/** A lambda list: what follows one of its keywords is indented from that; the keywords, and what is before them, line up. */
export const PARAMETERS: Shape = {
  column({ list: { column, elements }, node }, text) {
    const isKeyword = ({ start }: SyntaxNode): boolean => text.startsWith('&', start);
    if (node !== null && isKeyword(node)) return column + 1;
    // What begins a line stands where this one would.
    const last = elements.findLast((element) => isKeyword(element.node) || element.beginsLine);
    if (last === undefined) return column + 1;
    return isKeyword(last.node) ? last.column + BODY : last.column;
  },
  inside: [1],
};

/** Under the first argument where that stands beside the operator, else under the operator, as also where that is a list. */
export function callColumn({ list: { column, elements }, place }: Line): number {
  const [operator, argument] = elements;
  const beside = place > 1 && operator?.node.kind !== 'list' && argument?.beginsLine === false;
  return beside ? argument.column : column + 1;
}
