/** How far an evaluation has come that still runs, as its callers are told. */
import { z } from 'zod';
import type { KeyCheckpoint, ProofProgress } from '../../contract/proof';
import type { RunningEvaluation } from '../../sessions/session/running-evaluation';
import type { Session } from '../../sessions/session/session';
import { inOneLine, quoted } from '../prover/quoted';
import type { Caller } from '../tool';

/** Milliseconds between two messages of progress. */
const EVERY_MS = 5_000;

/** Checkpoints that are shown, the last ones, and characters of each. */
const CHECKPOINTS_SHOWN = 3;
const CHECKPOINT_CHARACTERS = 800;

export const ProgressResult = z.object({
  form: z.int(),
  goal: z.string().nullable(),
  steps: z.int().nullable(),
  prover_stack: z.string().nullable(),
  /** Of all key checkpoints that the proof has met by now, `checkpoints` has the last ones. */
  checkpoint_count: z.int().nullable(),
  checkpoints: z.array(z.object({ goal: z.string(), text: z.string() })),
});
export type ProgressResult = z.infer<typeof ProgressResult>;

/** null where nobody can tell. */
export async function progressOf(
  evaluation: RunningEvaluation,
  session: Session,
): Promise<ProgressResult | null> {
  const progress = await session.progress(evaluation);
  return progress && progressResult(progress);
}

function progressResult({ form, goal, steps, stack, checkpoints }: ProofProgress): ProgressResult {
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
  };
}

/** "form 2 · Subgoal *1/2' · 8266 steps · 1 key checkpoint so far". */
function progressLine({ form, goal, steps, checkpoint_count: count }: ProgressResult): string {
  return [
    `form ${form + 1}`,
    ...(goal === null ? [] : [inOneLine(goal)]),
    ...(steps === null ? [] : [`${steps} steps`]),
    ...(count === null ? [] : [`${count} key checkpoint${count === 1 ? '' : 's'} so far`]),
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

function howItStands({ held, runsFor }: RunningEvaluation): string {
  if (held) return 'held in the debugger';
  return runsFor === null ? 'waiting for its turn' : 'running';
}

/** Tells a caller that asked for it every few seconds how far `evaluation` has come. Answers what ends that. */
export function tellProgress(evaluation: RunningEvaluation, session: Session, caller: Caller): () => void {
  const { progress: tell } = caller;
  if (!tell) return () => undefined;
  const report = async () => {
    const progress = await progressOf(evaluation, session);
    const how = howItStands(evaluation);
    const since = `${how} for ${Math.round((Date.now() - evaluation.row.startedAt) / 1000)} s`;
    tell(progress ? `${since} · ${progressLine(progress)}` : since);
  };
  const timer = setInterval(() => void report(), EVERY_MS);
  return () => clearInterval(timer);
}
