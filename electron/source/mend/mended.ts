/**
 * Balances what somebody wrote by its indentation: each form whose delimiters do not match gets those at the ends of its
 * lines that its lines ask for. That is done only where nothing else would do as well.
 */
import type { Diagnosis } from '../diagnosis';
import type { Dialect } from '../dialect';
import { Positions } from '../positions';
import { read, type Source } from '../reader';
import { type Branch, isBranch, type SyntaxNode, walk } from '../syntax-tree';
import { applied, type Change, mendedForm } from './mended-form';

export interface Mended {
  text: string;
  /** What was done, in the order of the text: ``added `))` at the end of line 12``. */
  told: string[];
}

/** null where nobody can be sure. */
export function mended(source: Source): Mended | null {
  const { text, dialect } = source;
  const positions = new Positions(text);
  const changes: Change[] = [];
  for (const { start, piece } of pieces(source)) {
    if (read(piece, dialect).problem === null) continue;
    const found = mendedForm(piece, dialect);
    if (found === null) return null;
    changes.push(...found.map((change) => ({ ...change, at: change.at + start })));
  }
  const result = applied(text, changes);
  if (!isOneSided(changes) || read(result, dialect).problem !== null) return null;
  return { text: result, told: changes.map((change) => toldOf(change, positions, 'ed')) };
}

/** Where delimiters match and lines belong elsewhere, by one closing parenthesis or more; null where they do not. */
export function contradiction(source: Source): Diagnosis | null {
  for (const { start, piece } of pieces(source)) {
    const changes = movedParentheses(piece, source.dialect);
    if (changes === null) continue;
    const positions = new Positions(source.text);
    const here = changes.map((change) => ({ ...change, at: change.at + start }));
    const place = positions.of(here[0]?.at ?? start);
    return {
      ...place,
      message: `After line ${place.line} the indentation says something else than the parentheses.`,
      fix: `${here.map((change) => toldOf(change, positions)).join(', and ')}; or indent the lines as they are meant.`,
    };
  }
  return null;
}

function movedParentheses(piece: string, dialect: Dialect): Change[] | null {
  const [from, to, ...more] = mendedForm(piece, dialect) ?? [];
  if (from === undefined || to === undefined || more.length > 0) return null;
  const written = [from.removed + to.removed, from.added + to.added];
  return written.every((closers) => /^\)+$/.test(closers)) ? [from, to] : null;
}

/** The text cut where a form begins in the first column: each ends before the next, whatever the delimiters say. */
function* pieces({ text, tree }: Source): Generator<{ start: number; piece: string }> {
  let start = 0;
  for (const { node, parents } of walk(tree)) {
    if (node.start === start || !beginsPiece(node, parents, text)) continue;
    yield { start, piece: text.slice(start, node.start) };
    start = node.start;
  }
  yield { start, piece: text.slice(start) };
}

function beginsPiece(node: SyntaxNode, parents: readonly Branch[], text: string): boolean {
  const around = parents.at(-1);
  const isPart = around?.kind === 'prefixed' && beginsLine(around, text);
  return isBranch(node) && beginsLine(node, text) && !isPart;
}

function beginsLine({ start }: SyntaxNode, text: string): boolean {
  return start === 0 || text[start - 1] === '\n';
}

/** Else forms that begin in the first column within others would be torn apart: one ends too late, another too early. */
function isOneSided(changes: readonly Change[]): boolean {
  return changes.every(({ removed }) => removed === '') || changes.every(({ added }) => added === '');
}

/** @param tense `ed` for what was done */
function toldOf({ at, removed, added }: Change, positions: Positions, tense: '' | 'ed' = ''): string {
  const line = positions.line(Math.max(0, at - 1));
  const done = tense === '' ? 'remove' : 'removed';
  const what = [removed && `${done} \`${removed}\``, added && `add${tense} \`${added}\``].filter(Boolean);
  return `${what.join(', ')} at the end of line ${line}`;
}
