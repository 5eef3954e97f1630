/**
 * Tries suggestions with ACL2 itself (resources/lisp/acl2/attempts.lisp), within a few seconds and without
 * changing the world, and says what came of it.
 */
import { z } from 'zod';
import type { Suggestion, SuggestionTrial } from '../../../contract/proof';
import type { Acl2Queries } from '../conversation';
import type { ProofIdea } from './proof-ideas';

/** A suggestion, or an idea, with the forms that are submitted to try it. */
interface Attempt {
  suggestion: Suggestion;
  forms: readonly string[];
  /** Whether it is an idea, which is offered only if it is proved. */
  isIdea: boolean;
}

/** `admitted`: how many of the forms were, up to the first that failed; undefined if it was not tried. */
type Tried = Attempt & { admitted: number | undefined };

const Counts = z.object({ counts: z.array(z.int()) });

/** Kinds of suggestions whose forms are tried: those that leave the theorem as it is come first. */
const ORDER: readonly Suggestion['kind'][] = [
  'theory',
  'lemma',
  'induction',
  'measure',
  'guard',
  'hypothesis',
];

/**
 * Returns the suggestions with their results: what closes the goal first.
 * @param failed the failed form as ACL2 prints it
 */
export async function withAttempts(
  suggestions: readonly Suggestion[],
  ideas: readonly ProofIdea[],
  failed: string,
  queries: Acl2Queries,
): Promise<Suggestion[]> {
  const known = new Set(suggestions.map(({ form }) => form));
  const attempts = [
    ...ideas.filter(({ form }) => !known.has(form)).map((each) => attemptOfIdea(each, failed)),
    ...suggestions.flatMap((suggestion) => attemptOf(suggestion, failed)),
  ].sort(byOrder);
  if (attempts.length === 0) return [...suggestions];
  const text = `(${attempts.map(({ forms }) => `(${forms.join('\n')})`).join('\n')})`;
  const answer = await queries.query('attempts', text, {}, Counts).catch(() => ({ counts: [] }));
  const tried = attempts.map((each, at): Tried => ({ ...each, admitted: answer.counts[at] }));
  const proved = tried.filter(({ forms, admitted }) => admitted === forms.length);
  const isProved = new Set(proved.map(({ suggestion }) => suggestion.form));
  const results = new Map(tried.map(({ suggestion, admitted }) => [suggestion, admitted]));
  return [
    ...proved.map(({ suggestion }) => withResult(suggestion, 'proved', 'it is proved')),
    ...lemmasOf(tried),
    ...suggestions
      .filter(({ form }) => form === null || !isProved.has(form))
      .map((each) => withFailure(each, results.get(each))),
  ];
}

/**
 * Returns the equations among the ideas that are proved although the theorem still fails, one for each name. Any
 * other lemma may only say that a value is not nil.
 */
function lemmasOf(tried: readonly Tried[]): Suggestion[] {
  const names = new Set<string>();
  return tried.flatMap(({ suggestion, forms, isIdea, admitted }) => {
    if (!isIdea || suggestion.kind !== 'lemma' || admitted !== forms.length - 1) return [];
    const form = suggestion.form ?? '';
    const name = nameOf(form);
    if (names.has(name) || !/^\(defthm\s+\S+\s+\(equal\s/i.test(form)) return [];
    names.add(name);
    return [withResult(suggestion, 'lemma-proved', 'the lemma is proved; the theorem still fails after it')];
  });
}

function withFailure(suggestion: Suggestion, admitted: number | undefined): Suggestion {
  if (admitted === undefined) return suggestion;
  if (isOfLibrary(suggestion)) return withResult(suggestion, 'failed', 'ACL2 did not prove the form with it');
  const isLemma = suggestion.kind === 'lemma' || nameOf(suggestion.form ?? '').endsWith('-guard-lemma');
  if (isLemma && admitted > 0)
    return withResult(suggestion, 'lemma-proved', 'the lemma is proved; the form still fails after it');
  return withResult(suggestion, 'failed', 'ACL2 did not prove it within the limits of a trial');
}

function withResult({ text, ...rest }: Suggestion, trial: SuggestionTrial, result: string): Suggestion {
  return { ...rest, text: `${text} Tried: ${result}.`, trial };
}

/** Returns the attempts for a suggestion: none, or one. */
function attemptOf(suggestion: Suggestion, failed: string): Attempt[] {
  const { kind, form } = suggestion;
  // Later guard verification always succeeds, and proves nothing.
  if (form === null || !ORDER.includes(kind) || /:verify-guards nil/.test(form)) return [];
  return [{ suggestion, forms: formsOf(form, failed), isIdea: false }];
}

function attemptOfIdea({ before, ...rest }: ProofIdea, failed: string): Attempt {
  const after = before.length === 0 ? '' : ` Submit ${before.join(' ')} first.`;
  const suggestion = { ...rest, text: rest.text + after };
  return { suggestion, forms: [...before, ...formsOf(rest.form, failed)], isIdea: true };
}

/** Returns the form, and after a lemma or a book the failed form. */
function formsOf(form: string, failed: string): string[] {
  const replaces =
    !form.startsWith('(include-book') && (!form.startsWith('(defthm') || nameOf(form) === nameOf(failed));
  return replaces ? [form] : [form, failed];
}

function nameOf(form: string): string {
  return (/^\(\S+\s+([^\s()]+)/.exec(form)?.[1] ?? '').toLowerCase();
}

/** Books of the library come last, because including them takes time. */
function byOrder(one: Attempt, other: Attempt): number {
  const rank = ({ suggestion }: Attempt) =>
    isOfLibrary(suggestion) ? ORDER.length : ORDER.indexOf(suggestion.kind);
  return rank(one) - rank(other);
}

function isOfLibrary({ kind, form }: Suggestion): boolean {
  return kind === 'lemma' && (form?.startsWith('(include-book') ?? false);
}
