/**
 * Suggests books: the library is searched for rules about the nested calls in the key checkpoints. A call such as
 * (len (append x y)) is the pattern (len (append ? ?)).
 */
import type { Finding, Findings } from '../../../contract/knowledge';
import type { Suggestion } from '../../../contract/proof';
import { OneForm } from '../../../source/code';
import { type Call, callsIn, isCall, printTerm, type Term } from '../terms';
import { type Failure, theoremOf } from './failure';

/** Searches the library for theorems that match a pattern. */
export type LemmaSearch = (pattern: OneForm, limit: number) => Promise<Findings>;

/** Maximum patterns to search, lemmas of each, and books to suggest. Including a book may take a second. */
const MOST_PATTERNS = 4;
const MOST_LEMMAS = 12;
const MOST_BOOKS = 3;

/** Operators that occur in too many rules. */
const COMMON: ReadonlySet<string> = new Set(
  'NOT AND OR IF IMPLIES IFF CONSP ATOM ENDP CAR CDR CONS LIST LIST* QUOTE LET LET* MV-LET COND CASE'.split(
    ' ',
  ),
);

/** Returns a suggestion for each book with a matching theorem, best match first. */
export async function libraryLemmas(failure: Failure, search: LemmaSearch): Promise<Suggestion[]> {
  if (theoremOf(failure) === null) return [];
  const books = new Set<string>();
  const suggestions: Suggestion[] = [];
  for (const { goal, call, pattern } of patternsIn(failure)) {
    const found = await search(OneForm.read(pattern, 'common-lisp', 'pattern'), MOST_LEMMAS).catch(
      () => null,
    );
    for (const lemma of found?.results ?? []) {
      const { include } = lemma;
      if (suggestions.length >= MOST_BOOKS) return suggestions;
      if (include === undefined || books.has(include) || !isProvedRule(lemma)) continue;
      books.add(include);
      const text = `${goal} contains ${printTerm(call)}. A book of the library has ${lemma.text}: ${lemma.formula ?? ''}.`;
      suggestions.push({ kind: 'lemma', goal, text: text.replaceAll(/\s+/g, ' '), form: include });
    }
  }
  return suggestions;
}

function isProvedRule({ kind, uncertified }: Finding): boolean {
  return kind === 'theorem' && uncertified !== true;
}

interface Pattern {
  goal: string;
  call: Call;
  pattern: string;
}

/** Returns the patterns for calls with another call as an operand, those of earlier checkpoints first. */
function patternsIn({ checkpoints }: Failure): Pattern[] {
  const found = new Map<string, Pattern>();
  for (const { goal, term } of checkpoints)
    for (const call of callsIn(term)) {
      const pattern = patternOf(call);
      if (pattern !== null && !found.has(pattern)) found.set(pattern, { goal, call, pattern });
    }
  return [...found.values()].slice(0, MOST_PATTERNS);
}

function patternOf(call: Call): string | null {
  if (isCommon(call) || call[0] === 'EQUAL') return null;
  const operands = call.slice(1).map((each): Term => {
    if (!isCall(each)) return '?';
    return isCommon(each) ? '?' : [each[0], ...each.slice(1).map(() => '?')];
  });
  return operands.some((each) => isCall(each)) ? printTerm([call[0], ...operands]) : null;
}

function isCommon([operator]: Call): boolean {
  return COMMON.has(operator);
}
