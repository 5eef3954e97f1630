/** Progress of a running evaluation, as reported to callers. */
import { z } from 'zod';
import type { BookReport, KeyCheckpoint, ProofProgress } from '../../contract/proof';
import type { ItemResult } from '../../contract/report';

import { every } from '../../host/listeners';
import type { RunningEvaluation } from '../../sessions/session/pending-evaluations';
import type { Session } from '../../sessions/session/session';
import { inOneLine, quoted } from '../prover/quoted';
import type { Caller } from '../tool';

/** Milliseconds between two progress messages. */
const PROGRESS_INTERVAL_MS = 5_000;

/** Number of latest checkpoints shown, and maximum characters of each. */
const CHECKPOINTS_SHOWN = 3;
const CHECKPOINT_CHARACTERS = 800;

/** Maximum number of named books among those in progress and those that failed. */
const BOOKS_NAMED = 8;

/** Progress of the certification of several books. */
const BooksResult = z.object({
  total: z.int(),
  done: z.int().describe('Done, successful or not'),
  at_work: z.array(z.object({ book: z.string(), ms: z.int(), goal: z.string().optional() })),
  failed: z.array(z.string()),
});
type BooksResult = z.infer<typeof BooksResult>;

export const ProgressResult = z.object({
  form: z.int(),
  goal: z.string().nullable(),
  steps: z.int().nullable(),
  prover_stack: z.string().nullable(),
  /** Number of key checkpoints so far; `checkpoints` has the latest of them. */
  checkpoint_count: z.int().nullable(),
  checkpoints: z.array(z.object({ goal: z.string(), text: z.string() })),
  books: BooksResult.optional(),
});
export type ProgressResult = z.infer<typeof ProgressResult>;

/** Returns null if progress is not available. */
export async function progressOf(
  evaluation: RunningEvaluation,
  session: Session,
): Promise<ProgressResult | null> {
  const progress = await session.progress(evaluation);
  return progress && progressResult(progress);
}

function progressResult({ form, goal, steps, stack, checkpoints, books }: ProofProgress): ProgressResult {
  const met = checkpoints && [...checkpoints.top, ...checkpoints.induction];
  const shown = (met ?? []).slice(-CHECKPOINTS_SHOWN).map(({ goal: name, text }: KeyCheckpoint) => ({
    goal: name,
    text: text.slice(0, CHECKPOINT_CHARACTERS),
  }));
  return {
    form,
    goal,
    steps,
    prover_stack: stack,
    checkpoint_count: met && met.length + (checkpoints.untold ?? 0),
    checkpoints: shown,
    ...(books && books.length > 1 ? { books: booksResult(books) } : {}),
  };
}

function booksResult(books: readonly BookReport[]): BooksResult {
  const of = (state: BookReport['state']) => books.filter((book) => book.state === state);
  const working = of('at-work').slice(0, BOOKS_NAMED);
  return {
    total: books.length,
    done: books.length - of('waiting').length - of('at-work').length,
    at_work: working.map(({ book, goal, startedAt }) => ({
      book,
      ms: Date.now() - (startedAt ?? Date.now()),
      ...(goal === undefined ? {} : { goal }),
    })),
    failed: of('failed')
      .slice(0, BOOKS_NAMED)
      .map(({ book }) => book),
  };
}

/**
 * Returns "form 2 · Subgoal *1/2' · 8266 steps · 1 key checkpoint so far", or for books "3 of 12 books · at
 * work: basket 2 s".
 */
function progressLine({ form, goal, steps, checkpoint_count: count, books }: ProgressResult): string {
  if (books) return booksLine(inOneLine(books));
  return [
    `form ${form + 1}`,
    ...(goal === null ? [] : [inOneLine(goal)]),
    ...(steps === null ? [] : [`${steps} steps`]),
    ...(count === null ? [] : [`${count} key checkpoint${count === 1 ? '' : 's'} so far`]),
  ].join(' · ');
}

function booksLine({ total, done, at_work: working, failed }: BooksResult): string {
  const named = working.map(({ book, ms, goal }) =>
    [book, `${Math.round(ms / 1000)} s`, ...(goal === undefined ? [] : [goal])].join(' '),
  );
  return [
    `${done} of ${total} books`,
    ...(named.length === 0 ? [] : [`at work: ${named.join(', ')}`]),
    ...(failed.length === 0 ? [] : [`failed: ${failed.join(', ')}`]),
  ].join(' · ');
}

function itemsLine(items: readonly ItemResult[]): string {
  const count = (...outcomes: ItemResult['outcome'][]) =>
    items.filter(({ outcome }) => outcomes.includes(outcome)).length;
  const [waiting, running, ok] = [count('waiting'), count('running'), count('ok')];
  const failed = items.length - waiting - running - ok;
  return [
    `${ok + failed} of ${items.length} items`,
    `${running} running`,
    ...(failed === 0 ? [] : [`${failed} failed`]),
  ].join(' · ');
}

export function progressText(progress: ProgressResult): string {
  const { prover_stack: stack, checkpoints } = progress;
  return [
    `[progress]\n${progressLine(progress)}`,
    ...(stack === null ? [] : [`in ${inOneLine(stack)}`]),
    ...checkpoints.map(({ goal, text }) => `${inOneLine(goal)}\n${quoted(text)}`),
  ].join('\n');
}

function stateText({ condition, durationMs: runsFor }: RunningEvaluation): string {
  if (condition) return 'suspended in the debugger';
  return runsFor === null ? 'waiting for its turn' : 'running';
}

/** Reports progress every few seconds to a caller that requested it. Returns a function that ends this. */
export function reportProgress(evaluation: RunningEvaluation, session: Session, caller: Caller): () => void {
  const { progress: report } = caller;
  if (!report) return () => undefined;
  const send = async () => {
    const progress = await progressOf(evaluation, session);
    const how = stateText(evaluation);
    const since = `${how} for ${Math.round((Date.now() - evaluation.row.startedAt) / 1000)} s`;
    const items = session.reportSoFar(evaluation)?.items;
    const line = items ? itemsLine(items) : progress && progressLine(progress);
    report(line ? `${since} · ${line}` : since);
  };
  return every(PROGRESS_INTERVAL_MS, () => void send());
}
