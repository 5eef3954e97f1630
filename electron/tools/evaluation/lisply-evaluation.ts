/** An evaluation as Lisply has it: it is waited for however long it takes, and its record is two or three members. */
import type { Client, Condition, Evaluation, FormResult } from '../../contract/model';
import type { Session } from '../../sessions/session/session';
import { conditionText, printedText, section, valuesText } from './record-text';

/** Characters of the longest value that is answered whole. */
const LONGEST_VALUE = 4 * 1024 * 1024;

/** Lisply Backend Requirements, "Lisp Evaluation Protocol". */
export type LisplyBody =
  | { success: true; result: string; stdout: string }
  | { success: false; error: string };

export interface LisplyArguments {
  code: string;
  package?: string;
}

export interface LisplyResult {
  body: LisplyBody;
  notes: readonly string[];
  /** The row of the history. */
  evaluation: number;
}

/** What is told of an evaluation: a row of the history, or what a record has of it. */
interface Told extends Pick<Evaluation, 'outcome' | 'stdout' | 'stderr' | 'notes'> {
  engine: string;
  forms: readonly Pick<FormResult, 'values'>[];
  condition?: Condition | null | undefined;
}

/** An unhandled condition is reported, whatever the session does with others'. `signal` interrupts the evaluation. */
export async function evaluateToEnd(
  session: Session,
  client: Client,
  { code, package: packageName }: LisplyArguments,
  signal: AbortSignal,
): Promise<LisplyResult> {
  const evaluation = await settled(session, signal, {
    client: client.key,
    kind: 'eval',
    code,
    maxChars: LONGEST_VALUE,
    onError: 'report',
    ...(packageName === undefined ? {} : { package: packageName }),
  });
  return { body: lisplyBody(evaluation), notes: evaluation.notes, evaluation: evaluation.id };
}

async function settled(
  session: Session,
  signal: AbortSignal,
  request: Parameters<Session['evaluate']>[0],
): Promise<Evaluation> {
  const evaluation = session.evaluate(request);
  const cancel = () => void session.cancel(evaluation);
  if (signal.aborted) cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    return await evaluation.settled;
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

/** The values are those of the last form, one a line; what went to either stream is what was printed. */
export function lisplyBody(evaluation: Told): LisplyBody {
  const { outcome, forms, stdout, stderr } = evaluation;
  if (outcome !== 'ok') return { success: false, error: errorText(evaluation) };
  return { success: true, result: (forms.at(-1)?.values ?? []).join('\n'), stdout: stdout + stderr };
}

/** The condition first, then all that there was before it: an error has no other place for that. */
function errorText(evaluation: Told): string {
  const { outcome, condition, forms, stdout, stderr, notes } = evaluation;
  const headline = condition ? `${condition.type}: ${condition.message}` : `The evaluation was ${outcome}.`;
  const before = forms.filter(({ values }) => values.length > 0);
  return [
    headline,
    ...(condition ? [conditionText(condition, evaluation)] : []),
    section('stdout', printedText(stdout, evaluation)),
    section('stderr', printedText(stderr, evaluation)),
    section('values before', before.map(({ values }) => valuesText(values, evaluation)).join('\n')),
    section('notes', notes.join('\n')),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}
