/** The tool of cl-mcp-server that finds the matching parenthesis. */

import { z } from 'zod';
import { HarborError } from '../../contract/errors';
import { diagnosisOf, diagnosisText } from '../../source/diagnosis';
import { read, type Source } from '../../source/reader';
import { isBranch, walk } from '../../source/syntax-tree';
import type { Tool } from '../../tools/tool';

const Arguments = z.strictObject({
  code: z.string().max(2_097_152),
  line: z.int().min(1),
  column: z.int().min(0).describe('From 0'),
});

const Result = z.object({ line: z.int().optional(), column: z.int().optional() });

/** Number of lines shown on either side of the match. */
const CONTEXT = 2;

/** A character of the code. Lines count from 1, columns from 0, in Lisp characters. */
interface Place {
  line: number;
  column: number;
}

export const MATCH_PAREN: Tool<typeof Arguments, typeof Result> = {
  name: 'match-paren',
  title: 'Match a parenthesis',
  description:
    'Finds the parenthesis that matches the one at a line (from 1) and column (from 0) of code, and shows the lines around it. Parentheses in strings, comments and characters are text.',
  scope: 'read',
  args: Arguments,
  result: Result,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  async run({ code, line, column }) {
    const lines = code.split('\n');
    const at = offsetOf({ line, column }, lines);
    const character = code[at];
    if (character !== '(' && character !== ')')
      return unmatched(
        `Character at line ${line}, column ${column} is '${character ?? '\\n'}', not a parenthesis`,
      );
    const source = read(code, 'common-lisp');
    const match = matchOf(at, source);
    if (match === null) return unmatched(whyUnmatched({ line, column }, at, source));
    const place = placeOf(match, lines);
    const text = [
      `Matching ${character === '(' ? ')' : '('} found from line ${line}, column ${column}`,
      `Match at line ${place.line}, column ${place.column}`,
      '',
      'Context:',
      ...contextLines(place.line, lines),
    ].join('\n');
    return { structured: place, text, isError: false };
  },
};

function unmatched(why: string) {
  return { structured: {}, text: `No match: ${why}`, isError: false };
}

function whyUnmatched({ line, column }: Place, at: number, source: Source): string {
  const which = `paren at line ${line}, column ${column}`;
  if (isText(at, source)) return `The ${which} is inside a string, a comment or a character`;
  const diagnosis = diagnosisOf(source);
  const why = diagnosis === null ? '' : `. ${diagnosisText(diagnosis)}`;
  return `Unmatched ${source.text[at] === '(' ? 'open' : 'close'} ${which}${why}`;
}

function isText(at: number, { tree }: Source): boolean {
  for (const { node } of walk(tree))
    if (!isBranch(node) && node.start <= at && at < node.end) return node.kind !== 'stray';
  return false;
}

/** @throws HarborError `bad_arguments` if the position is outside of the code */
function offsetOf({ line, column }: Place, lines: readonly string[]): number {
  const text = lines[line - 1];
  const characters = [...(text ?? '')];
  if (text === undefined || column >= Math.max(characters.length, 1))
    throw new HarborError('bad_arguments', `Position out of range: line ${line}, column ${column}.`);
  const before = lines.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0);
  return before + characters.slice(0, column).join('').length;
}

function placeOf(offset: number, lines: readonly string[]): Place {
  let start = 0;
  let line = 1;
  for (const text of lines) {
    if (offset <= start + text.length) break;
    start += text.length + 1;
    line += 1;
  }
  return { line, column: [...(lines[line - 1] ?? '').slice(0, offset - start)].length };
}

/** Returns the other end of a closed list. */
function matchOf(at: number, { tree }: Source): number | null {
  for (const { node } of walk(tree)) {
    if (node.kind !== 'list' || !isBranch(node) || !node.closed) continue;
    const [opener, closer] = [node.inner - 1, node.end - 1];
    if (at === opener) return closer;
    if (at === closer) return opener;
  }
  return null;
}

function contextLines(match: number, lines: readonly string[]): string[] {
  const first = Math.max(1, match - CONTEXT);
  return lines
    .slice(first - 1, match + CONTEXT)
    .map(
      (text, index) =>
        `  ${String(first + index).padStart(4)}: ${text}${first + index === match ? '  ◀ match' : ''}`,
    );
}
