/** The prompt "debug a condition": one that a session holds in the debugger, or one that the history tells of. */
import { HarborError } from '../../contract/errors';
import type { Evaluation } from '../../contract/model';
import { Session } from '../../sessions/session/session';
import type { Sessions } from '../../sessions/sessions';
import { cleanText } from '../clean-text';
import { recordOf } from '../evaluation/record';
import { conditionText, section } from '../evaluation/record-text';
import { type SeenHistory, sessionIds, type Viewer, visibility, visibleRow } from '../viewer';
import type { Prompt } from './prompt';

export interface DebugConditionOptions extends SeenHistory {
  sessions: Sessions;
}

/** How many failed evaluations are offered as a completion. */
const OFFERED = 100;

export function debugCondition(options: DebugConditionOptions): Prompt {
  return {
    name: 'debug_condition',
    title: 'Debug a condition',
    description:
      'Finds out why an evaluation failed, and mends it: one held in the debugger, or any in the history.',
    arguments: [
      {
        name: 'session',
        description: 'A session that is held in the debugger',
        required: false,
        values: (viewer) => sessionIds(options.sessions, viewer).filter((id) => heldBy(options, id, viewer)),
      },
      {
        name: 'evaluation',
        description: 'The number of an evaluation in the history; without both, what failed last',
        required: false,
        values: (viewer) => failedRows(options, viewer, OFFERED).map(({ id }) => String(id)),
      },
    ],
    text({ session, evaluation }, viewer) {
      const row = rowAskedFor(options, { session: session?.trim(), evaluation: evaluation?.trim() }, viewer);
      const held = row.outcome === 'debugger';
      return `Find out why this evaluation failed, and mend the cause.

${conditionOf(row)}

${held ? WHILE_HELD.replace('SESSION', row.session) : AFTERWARDS.replace('SESSION', row.session)}
3. Name the cause as a sentence that predicts what another input would do, and test that prediction.
4. Mend the smallest thing that is wrong, in the session first. Evaluate the code again, then its edges.
5. Write the mended definition to its file, load it anew, and run the tests.

In the end tell me the cause, the change, and how you know.`;
    },
  };
}

const WHILE_HELD = `It is held in the debugger of session SESSION: nothing has been unwound.
1. Look at the frames of that level, the innermost one of our own code first: its locals, its source. Evaluate there what you suspect.
2. If a restart can go on sensibly, redefine what is wrong first, then restart the frame or take that restart; otherwise abort the level. Do not leave it held.`;

const AFTERWARDS = `Its stack has been unwound; the session was SESSION.
1. Evaluate it again with on_error: debug if that does no harm, so that the condition is held and the frames' locals can be seen. If the session is gone, open one and load what the code needs.
2. Look at the innermost frame of our own code: which value is not what the code expects, and where does it come from?`;

function conditionOf(row: Evaluation): string {
  const { condition, stderr, notes } = recordOf(row);
  const parts = [
    `Evaluation ${row.id} · ${row.outcome} · ${row.engine} · package ${row.package}:`,
    row.code.trim(),
    ...(condition ? [conditionText(condition, row)] : []),
    section('stderr', stderr),
    ...notes.map((note) => `note: ${note}`),
  ];
  return cleanText(parts.filter((part) => part !== '').join('\n\n'));
}

/** @throws HarborError `unknown_session`, `unknown_evaluation`, `bad_arguments` when there is nothing to debug */
function rowAskedFor(
  options: DebugConditionOptions,
  { session, evaluation }: { session: string | undefined; evaluation: string | undefined },
  viewer: Viewer,
): Evaluation {
  if (evaluation) {
    if (/^\d{1,15}$/.test(evaluation)) return visibleRow(options, Number(evaluation), viewer);
    throw new HarborError('bad_arguments', 'evaluation is a number of the history, such as 12.');
  }
  const held = session
    ? heldBy(options, session, viewer)
    : sessionIds(options.sessions, viewer)
        .map((id) => heldBy(options, id, viewer))
        .find((id) => id !== null);
  const id = held ?? failedRows(options, viewer, 1, session)[0]?.id;
  if (id !== undefined) return visibleRow(options, id, viewer);
  throw new HarborError(
    'bad_arguments',
    'Nothing has failed there yet, and nothing is held in the debugger.',
  );
}

/** The evaluation at the innermost debugger level of a session; null when none is held. @throws HarborError `unknown_session` */
function heldBy({ sessions }: DebugConditionOptions, session: string, { client }: Viewer): number | null {
  const known = sessions.known(session, client);
  return known instanceof Session ? (known.held?.id ?? null) : null;
}

function failedRows(options: DebugConditionOptions, viewer: Viewer, limit: number, session?: string) {
  const seen = visibility(options, viewer);
  const named = session ? { session } : {};
  return options.history.evaluations.page({ ...seen, ...named, outcome: 'error', limit }).rows;
}
