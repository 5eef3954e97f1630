/** Evaluations for Lisply. The call waits for the end, and the result has two or three members. */

import type { Grant } from '../../contract/approvals';
import { HarborError } from '../../contract/errors';
import type { Client, Condition, Evaluation, FormResult } from '../../contract/model';
import { type Note, note, noteTexts } from '../../contract/note';
import { addListeners, onAbort } from '../../host/listeners';
import type { Listener } from '../../sessions/listener';
import type { Session } from '../../sessions/session/session';
import type { EvaluateToolOptions } from '../../tools/evaluation/evaluation-answer';
import { isFailure, jobName } from '../../tools/evaluation/record';
import { conditionText, printedText, section, valuesText } from '../../tools/evaluation/record-text';
import type { Caller, ToolResult } from '../../tools/tool';

/** Maximum characters of a value that is returned whole. */
const MAX_VALUE_LENGTH = 4 * 1024 * 1024;

/** Lisply Backend Requirements, "Lisp Evaluation Protocol". */
export type LisplyBody =
  | { success: true; result: string; stdout: string }
  | { success: false; error: string };

interface LisplyArguments {
  code: string;
  package?: string;
}

interface LisplyResult {
  body: LisplyBody;
  notes: readonly Note[];
  /** The row number in the history. */
  evaluation: number;
}

/** A row of the history, or the members that a record has of it. */
interface Reported extends Pick<Evaluation, 'outcome' | 'stdout' | 'stderr' | 'notes'> {
  engine: string;
  forms: readonly Pick<FormResult, 'values'>[];
  condition?: Condition | null | undefined;
}

/**
 * Evaluates and waits for the end. An unhandled condition is reported, whatever the session's setting.
 * `signal` interrupts the evaluation.
 */
export async function evaluateToEnd(
  session: Session,
  { client, grant }: { client: Client; grant: Grant | null },
  { code, package: packageName }: LisplyArguments,
  signal: AbortSignal,
): Promise<LisplyResult> {
  const evaluation = await settled(session, signal, {
    client: client.key,
    grant,
    kind: 'eval',
    code,
    maxChars: MAX_VALUE_LENGTH,
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
  const removeListener = onAbort(signal, () => void session.cancel(evaluation));
  try {
    return await evaluation.settled;
  } finally {
    removeListener();
  }
}

/** Returns the values of the last form, one a line, and the output of both streams. */
export function lisplyBody(evaluation: Reported): LisplyBody {
  const { outcome, forms, stdout, stderr } = evaluation;
  if (outcome !== 'ok') return { success: false, error: errorText(evaluation) };
  return { success: true, result: (forms.at(-1)?.values ?? []).join('\n'), stdout: stdout + stderr };
}

/**
 * Returns the condition first, then the output and values before it, since an error has no other place for
 * them.
 */
function errorText(evaluation: Reported): string {
  const { outcome, condition, forms, stdout, stderr, notes } = evaluation;
  const headline = condition ? `${condition.type}: ${condition.message}` : `The evaluation was ${outcome}.`;
  const before = forms.filter(({ values }) => values.length > 0);
  return [
    headline,
    ...(condition ? [conditionText(condition, evaluation)] : []),
    section('stdout', printedText(stdout, evaluation)),
    section('stderr', printedText(stderr, evaluation)),
    section('values before', before.map(({ values }) => valuesText(values, evaluation)).join('\n')),
    section('notes', noteTexts(notes).join('\n')),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

/**
 * Evaluates code as typed at the prompt of a session. The result is what a terminal would show, and an error
 * suspends the session in the debugger.
 */
interface Typed {
  session: Session;
  /** Notes about the session. */
  notes: readonly Note[];
  code: string;
  package?: string | undefined;
}

interface Shown {
  [member: string]: unknown;
  session: string;
  mode: 'stdio';
  /** The text that a terminal would show, the prompt last. */
  shown: string;
  /** Debugger level; 0 is the top level. Read from the session, since printed text could imitate it. */
  level: number;
  /** How the next input is interpreted. */
  expects: Listener['expects'];
  /** The job of an unfinished evaluation. */
  job?: string;
  notes: Note[];
}

/** @throws HarborError `bad_arguments` for a package, since the prompt has its own */
export async function throughListener(
  listener: Listener,
  { session, notes, code, package: packageName }: Typed,
  caller: Caller,
  options: EvaluateToolOptions,
): Promise<ToolResult<Shown>> {
  if (packageName !== undefined)
    throw new HarborError(
      'bad_arguments',
      'The prompt has its own package: leave package out, or use in-package.',
    );
  const before = { level: session.level, latest: listener.latest?.id };
  const shown = await typed(listener, code, caller.signal, options.softLimitMs());
  const { latest } = listener;
  if (caller.signal.aborted && latest) void session.cancel(latest);
  const row =
    latest === null || latest.id === before.latest ? null : options.history.evaluations.find(latest.id);
  const running = latest !== null && session.running?.id === latest.id;
  const structured = {
    session: session.id,
    mode: 'stdio' as const,
    shown,
    level: session.level,
    expects: listener.expects,
    ...(running ? { job: jobName(latest.id) } : {}),
    notes: [...notes, ...expectation(listener, running)],
  };
  return {
    structured,
    text: shown,
    asides: asides(structured),
    isError: session.level > before.level || failed(row),
    ...(row ? { evaluation: row.id } : {}),
  };
}

/** Returns what is shown until input is needed, or until the time is up. */
async function typed(
  listener: Listener,
  code: string,
  signal: AbortSignal,
  milliseconds: number,
): Promise<string> {
  const shown: string[] = [];
  const { promise: answered, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, milliseconds);
  const removeAbort = onAbort(signal, resolve);
  const removeListeners = addListeners(listener, (on) => {
    on('output', (text) => void shown.push(text));
    on('waiting', resolve);
  });
  try {
    void listener.submit(code);
    await answered;
  } finally {
    clearTimeout(timer);
    removeAbort();
    removeListeners();
  }
  return shown.join('');
}

function failed(row: Evaluation | null | undefined): boolean {
  return row ? isFailure(row) : false;
}

function expectation({ expects }: Listener, running: boolean): Note[] {
  if (expects === 'line') return [note('expects', 'The code reads a line: your next input goes to it.')];
  if (expects === 'rest of a form') return [note('expects', 'The form is incomplete: type the rest of it.')];
  return running ? [note('expects', 'It is still running; its further output is in the job.')] : [];
}

function asides({ level, job, notes }: Shown): (string | Note)[] {
  return [
    ...(level > 0 ? [`debugger level ${level}: a number takes a restart`] : []),
    ...(job === undefined ? [] : [`still running as ${job}: use the job tool`]),
    ...notes,
  ];
}
