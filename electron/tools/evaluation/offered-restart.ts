/**
 * An evaluation that ended in the debugger, whose restarts its caller is offered: what a client needs to ask a person
 * which of them to take, and how the same call goes on with the answer.
 */
import { HarborError } from '../../contract/errors';
import type { Condition } from '../../contract/model';
import { cut } from '../../history/cut-text';
import { restartArguments, restartCode } from '../../sessions/restart-arguments';
import type { RunningEvaluation } from '../../sessions/session/running-evaluation';
import type { Session } from '../../sessions/session/session';
import type { Caller, ChosenRestart, HeldOffer, ToolResult } from '../tool';
import {
  type AnswerOptions,
  answer,
  answerFor,
  answerOpen,
  type EvaluateToolOptions,
  rowOf,
} from './evaluation-answer';
import { actOf } from './own-evaluation';
import type { EvaluationRecord } from './record';
import { restartText } from './record-text';
import { withinLimit } from './within-limit';

/** Characters of a condition's message in a question; the record has it whole. */
const LONGEST_MESSAGE = 1_000;

/** The result with what it offers, if its evaluation is held now. */
export function offering(
  result: ToolResult<EvaluationRecord>,
  { id, row, held }: RunningEvaluation,
): ToolResult<EvaluationRecord> {
  if (held === null || result.structured.outcome !== 'debugger') return result;
  return { ...result, held: offerOf(id, row.session, held) };
}

function offerOf(
  evaluation: number,
  session: string,
  { type, message, level, restarts }: Condition,
): HeldOffer {
  return {
    evaluation,
    question: [
      `Evaluation ${evaluation} is held at debugger level ${level} of session ${session}.`,
      `[${type}] ${cut(message, LONGEST_MESSAGE)}`,
      'How should it go on? Decline to leave it held.',
    ].join('\n'),
    restarts: restarts.map(restartText),
    asksForValues: restarts.some((restart) => restart.arguments.length > 0),
  };
}

/**
 * Goes on where a call of this caller's left an evaluation held: takes the restart, waits, and answers with the record
 * of the same row. Somebody else may have let it go on in between.
 * @throws HarborError `unknown_evaluation`, and what the restart itself is refused with
 */
export async function goOnWith(
  chosen: ChosenRestart,
  caller: Caller,
  options: EvaluateToolOptions,
  answering: AnswerOptions,
): Promise<ToolResult<EvaluationRecord>> {
  const row = rowOf(options.history, chosen.evaluation);
  if (row.client !== caller.client.key)
    throw new HarborError('unknown_evaluation', `Evaluation ${row.id} is no call of yours.`);
  // A person was asked in place of the answer that said it.
  caller.told.unsaid(row.id, row.session);
  const session = options.sessions.get(row.session);
  const evaluation = session?.pending(row.id);
  if (!session || !evaluation) return answer(row, caller, answering);
  if (chosen.restart === null) return answerOpen(evaluation, session, caller, options, answering);
  const restart = evaluation.held?.restarts.find((each) => restartText(each) === chosen.restart);
  if (!restart || session.held !== evaluation) {
    const notes = [...(answering.notes ?? []), 'The restart that was chosen is no longer offered.'];
    return answerOpen(evaluation, session, caller, options, { ...answering, notes });
  }
  await take(session, restart.index, chosen, caller, options);
  const result = await answerFor(evaluation, session, caller, options, {
    ...answering,
    untilHeld: true,
  });
  return offering(result, evaluation);
}

async function take(
  session: Session,
  restart: number,
  { arguments: forms }: ChosenRestart,
  caller: Caller,
  { softLimitMs }: EvaluateToolOptions,
): Promise<void> {
  const held = await session.debuggerFor(actOf(caller, restartCode(restart, forms)));
  await withinLimit(
    held.restart({
      restart,
      ...(forms.length === 0 ? {} : { arguments: restartArguments(forms, session) }),
    }),
    softLimitMs(),
    caller.signal,
    'The restart has not answered yet: code that it runs may loop. `debug` shows how the session stands.',
  );
}
