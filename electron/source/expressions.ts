/** Expressions in Clojure source, found by what they are and not by how they are laid out: blanks and comments do not count. */
import { HarborError } from '../contract/errors';
import { clojureLexeme } from './clojure-lexer';
import { diagnosisOf, diagnosisText } from './diagnosis';
import { Positions } from './positions';
import { read } from './reader';

export interface ReplacedExpressions {
  text: string;
  /** Lines, from 1, on which the expressions began that were replaced, and that were left. */
  replaced: number[];
  left: number[];
}

/**
 * @param expression one form or several that stand beside each other
 * @param by what comes in its place: forms, or nothing
 * @param all whether all occurrences are replaced, or the first one
 * @throws HarborError `bad_arguments`: it is not there, or delimiters do not match, in it, in what replaces it, in the text
 */
export function replaceExpressions(
  text: string,
  expression: string,
  by: string,
  all: boolean,
): ReplacedExpressions {
  for (const [what, code] of Object.entries({ expression, replacement: by, file: text })) {
    const diagnosis = diagnosisOf(read(code, 'clojure'));
    if (diagnosis)
      throw new HarborError(
        'bad_arguments',
        `The delimiters of the ${what} do not match. ${diagnosisText(diagnosis)}`,
      );
  }
  const places = occurrences(text, expression);
  if (places.length === 0)
    throw new HarborError(
      'bad_arguments',
      'The expression is nowhere in the file. Blanks and comments do not count, all else does.',
    );
  const chosen = all ? places : places.slice(0, 1);
  const positions = new Positions(text);
  const lines = (of: readonly Place[]) => of.map(({ start }) => positions.line(start));
  const put = chosen
    .toReversed()
    .reduce((now, { start, end }) => now.slice(0, start) + by.trim() + now.slice(end), text);
  return { text: put, replaced: lines(chosen), left: lines(places.slice(chosen.length)) };
}

interface Place {
  start: number;
  end: number;
}

/** None overlaps the one before. */
function occurrences(text: string, expression: string): Place[] {
  const sought = lexemes(expression).map(({ written }) => written);
  const there = lexemes(text);
  const places: Place[] = [];
  if (sought.length === 0) return places;
  for (let at = 0; at + sought.length <= there.length; at += 1) {
    if (!sought.every((written, index) => there[at + index]?.written === written)) continue;
    const last = at + sought.length - 1;
    places.push({ start: there[at]?.start ?? 0, end: there[last]?.end ?? 0 });
    at = last;
  }
  return places;
}

/** What counts, as it is written. Delimiters match in what is sought, so where its lexemes stand, whole forms do. */
function lexemes(text: string): (Place & { written: string })[] {
  const found: (Place & { written: string })[] = [];
  for (let start = 0; start < text.length; ) {
    const { kind, end } = clojureLexeme(text, start);
    if (kind !== 'blank' && kind !== 'comment') found.push({ start, end, written: text.slice(start, end) });
    start = end;
  }
  return found;
}
