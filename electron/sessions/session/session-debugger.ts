/**
 * Notes for the owner of an evaluation that another client stopped or resumed, and the debugger that adds
 * them.
 */

import type { RestartResult } from '../../contract/debugger';
import { HarborError } from '../../contract/errors';
import { PERSON_KEY } from '../../contract/known-clients';
import { mention, ours } from '../../contract/mention';
import { note } from '../../contract/note';
import type { Debugger, RestartChoice } from '../../images/optional-groups';
import type { RunningEvaluation } from './pending-evaluations';

/**
 * Adds a note about the choice to other clients' suspended evaluations, and runs it.
 * @param suspended the suspended evaluations, outermost level first
 */
async function noteChoice(
  client: string,
  choice: string,
  suspended: readonly RunningEvaluation[],
  leave: () => Promise<RestartResult>,
): Promise<RestartResult> {
  const chosen = note('resumed_by', `${clientLabel(client)} chose ${choice}.`);
  const others = suspended.filter(({ row }) => row.client !== client);
  // Added first: the resumed evaluation may end before `leave` resolves.
  for (const evaluation of others) evaluation.addNote(chosen);
  const removeNote = (from: readonly RunningEvaluation[]) => {
    for (const evaluation of from) evaluation.removeNote(chosen);
  };
  try {
    const departure = await leave();
    const exited = suspended.findIndex(({ id }) => id === departure.evaluation);
    removeNote(exited === -1 ? suspended : suspended.slice(0, exited));
    return departure;
  } catch (error) {
    removeNote(suspended);
    throw error;
  }
}

/**
 * Returns the debugger, wrapped so that each restart adds a note to the evaluations of other clients. Steps
 * add none.
 */
export function notifyingDebugger(
  offered: Debugger,
  client: string,
  suspended: readonly RunningEvaluation[],
): Debugger {
  return {
    show: (page) => offered.show(page),
    frame: (index) => offered.frame(index),
    step: (way) => offered.step(way),
    restart: (choice) =>
      noteChoice(client, restartText(choice, suspended), suspended, () => offered.restart(choice)),
    abort: (level) =>
      noteChoice(client, `to abort to ${level === 0 ? 'the top level' : `level ${level}`}`, suspended, () =>
        offered.abort(level),
      ),
  };
}

/** Describes the restart by its name: its number is meaningless after the level exits. */
function restartText(
  { restart, arguments: forms = [], frame }: RestartChoice,
  suspended: readonly RunningEvaluation[],
): string {
  const offered = suspended.at(-1)?.condition?.restarts ?? [];
  const name = typeof restart === 'number' ? (offered[restart]?.name ?? restart) : restart.toUpperCase();
  const argumentsText = forms.length === 0 ? '' : ` with ${forms.join(', ')}`;
  return `the restart ${name}${argumentsText}${frame === undefined ? '' : ` at frame ${frame}`}`;
}

/**
 * Returns the debugger if an evaluation is suspended and nothing runs at its level.
 * @throws HarborError `not_held`
 */
export function suspendedDebugger(
  offered: Debugger,
  { running, level }: { running: RunningEvaluation | null; level: number },
): Debugger {
  if (level === 0)
    throw new HarborError('not_held', 'No evaluation is suspended in the debugger.', {
      mentions: [
        mention`${ours('eval', 'on_error')} with on_error: "debug" suspends at an unhandled condition.`,
      ],
    });
  if (running)
    throw new HarborError(
      'not_held',
      `Evaluation ${running.id} runs at debugger level ${level} now. Wait for it, or cancel job-${running.id}.`,
    );
  return offered;
}

/** Names a client in the notes of another client's evaluation. */
function clientLabel(client: string): string {
  return client === PERSON_KEY ? 'A person at the window' : client;
}

/**
 * Adds a note if another client stopped the evaluation.
 * @param client absent if no particular client stopped it
 */
export function notifyStoppedBy(evaluation: RunningEvaluation, client: string | undefined): void {
  if (client !== undefined && client !== evaluation.row.client)
    evaluation.addNote(note('stopped_by', `${clientLabel(client)} stopped it.`));
}
