/** Code as typed at the prompt of a session: what a terminal would show comes back, and an error holds the debugger. */
import { HarborError } from '../../contract/errors';
import type { Evaluation } from '../../contract/model';
import type { Listener } from '../../sessions/listener';
import type { Session } from '../../sessions/session/session';
import type { EvaluateToolOptions } from '../evaluation/evaluation-answer';
import { isFailure, jobName } from '../evaluation/record';
import { type Caller, noted, type ToolResult } from '../tool';

export interface Typed {
  session: Session;
  /** What is to be told of the session. */
  notes: readonly string[];
  code: string;
  package?: string | undefined;
}

export interface Shown {
  [member: string]: unknown;
  session: string;
  mode: 'stdio';
  /** What a terminal would show, the prompt last. */
  shown: string;
  /** Of the debugger; 0 is the top level. Known from the session: what code prints cannot look like one. */
  level: number;
  /** What is typed next is taken for that. */
  expects: Listener['expects'];
  /** What still runs. */
  job?: string;
  notes: string[];
}

/** @throws HarborError `bad_arguments` for a package: the prompt has its own */
export async function throughListener(
  listener: Listener,
  { session, notes, code, package: packageName }: Typed,
  caller: Caller,
  options: EvaluateToolOptions,
): Promise<ToolResult<Shown>> {
  if (packageName !== undefined)
    throw new HarborError(
      'bad_arguments',
      'The prompt has a package of its own: leave package out, or use in-package.',
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

/** What is shown until somebody has to type again, or for so many milliseconds. */
async function typed(
  listener: Listener,
  code: string,
  signal: AbortSignal,
  milliseconds: number,
): Promise<string> {
  const shown: string[] = [];
  const show = (text: string) => void shown.push(text);
  const { promise: answered, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, milliseconds);
  signal.addEventListener('abort', () => resolve(), { once: true });
  listener.on('output', show).once('waiting', resolve);
  try {
    void listener.submit(code);
    await answered;
  } finally {
    clearTimeout(timer);
    listener.off('output', show).off('waiting', resolve);
  }
  return shown.join('');
}

function failed(row: Evaluation | null | undefined): boolean {
  return row ? isFailure(row) : false;
}

function expectation({ expects }: Listener, running: boolean): string[] {
  if (expects === 'line') return ['The code reads a line: what you type next goes to it.'];
  if (expects === 'rest of a form') return ['The form is not complete: type the rest of it.'];
  return running ? ['It still runs; what it prints from now on is in the job.'] : [];
}

function asides({ level, job, notes }: Shown): string[] {
  return [
    ...(level > 0 ? [`debugger level ${level}: a number takes a restart`] : []),
    ...(job === undefined ? [] : [`still running as ${job}: use the job tool`]),
    ...notes.map(noted),
  ];
}
