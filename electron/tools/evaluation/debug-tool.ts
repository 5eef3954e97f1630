/** The tool `debug`: shows the levels and frames of a session suspended in the debugger, and resumes it. */

import { z } from 'zod';
import { type DebuggerView, type FrameContents, type RestartResult, StepMode } from '../../contract/debugger';
import { HarborError } from '../../contract/errors';
import { type Local, SessionState } from '../../contract/model';
import { type Note, NoteText } from '../../contract/note';
import { objectHandle, restartArguments, restartCode } from '../../sessions/parsed-arguments';

import type { Session } from '../../sessions/session/session';
import { sessionOf } from '../arguments';
import type { ConversationState } from '../conversation-state';
import { closingLines } from '../notes';
import { shortPath } from '../source-places';
import type { Caller, Tool, ToolResult } from '../tool';
import { answer, type EvaluateToolOptions, requireBalanced, rowOf, waitForEnd } from './evaluation-answer';
import { actOf, evaluateFor, withinLimit } from './own-evaluation';
import { BriefRecord, type EvaluationRecord, isFailure } from './record';
import { frameLines, restartText } from './record-text';

/** Maximum number of frames in one result. */
const FRAMES_PAGE = 50;

const DebugArguments = z.strictObject({
  action: z.enum(['show', 'frame', 'eval', 'restart', 'step', 'abort']),
  session: z.string().optional(),
  frame: z.int().min(0).optional().describe('Index; default 0'),
  code: z.string().min(1).max(2_000_000).optional().describe('eval: in its scope'),
  restart: z
    .union([z.int().min(0), z.string().min(1)])
    .optional()
    .describe('Index or name'),
  arguments: z.array(z.string()).max(50).optional().describe('restart: forms for its values'),
  step: StepMode.optional().describe('Default into'),
  level: z.int().min(0).optional().describe('abort: return to it; 0: top level'),
  offset: z.int().min(0).optional().describe('show: frames to skip'),
});

type DebugArguments = z.infer<typeof DebugArguments>;

/**
 * Outline of the result; contract/debugger.ts has the full schema. Every agent reads the list of tools, so it
 * stays short.
 */
const Shown = z.looseObject({
  restarts: z.array(z.looseObject({ index: z.int(), name: z.string() })),
  frames: z.array(z.looseObject({ index: z.int(), call: z.string() })),
  next: z.int().nullable().describe('Offset of more frames'),
});

const Frame = z.looseObject({
  call: z.string(),
  locals: z.array(z.looseObject({ name: z.string(), value: z.string() })),
});

const DebugResult = z.object({
  session: z.string(),
  state: SessionState,
  level: z.int().describe('The innermost debugger level; 0: none'),
  debugger: Shown.optional(),
  frame: Frame.optional(),
  evaluation: BriefRecord.optional(),
  notes: z.array(NoteText),
});

type DebugResult = z.input<typeof DebugResult>;

/** Reported instead of the outcome. The result also has the session's new state. */
const ABORTED = 'Aborted';

/** The result of one action; the rest of the tool's result is the same for all actions. */
interface Answer extends Pick<DebugResult, 'debugger' | 'frame'> {
  evaluation?: EvaluationRecord;
  /** Absent means no error. */
  isError?: boolean;
  text: string;
  /** The notes of the evaluation. */
  notes?: readonly Note[];
}

export function debugTool(options: EvaluateToolOptions): Tool<typeof DebugArguments, typeof DebugResult> {
  return {
    name: 'debug',
    title: 'Debugger',
    description:
      'For a session suspended by eval with on_error: debug. show: levels, restarts, frames; frame: locals, source; eval: in a frame; restart: also RETURN-FROM-FRAME and RESTART-FRAME; step: a suspended (step FORM); abort: one level, or down to `level`.',
    scope: 'evaluate',
    args: DebugArguments,
    result: DebugResult,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
    async run(args, caller) {
      const { session, notes } = await sessionOf(args.session, caller, options.sessions);
      const { text, ...answer } = await new DebugCall(options, session, caller).perform(args);
      return result(session, { notes, conversation: caller.conversation }, answer, text);
    },
  };
}

/** One call of the tool. */
class DebugCall {
  readonly #options: EvaluateToolOptions;
  readonly #session: Session;
  readonly #caller: Caller;

  constructor(options: EvaluateToolOptions, session: Session, caller: Caller) {
    this.#options = options;
    this.#session = session;
    this.#caller = caller;
  }

  async perform(args: DebugArguments): Promise<Answer> {
    const suspended = this.#session.debugger(this.#caller.client.key);
    switch (args.action) {
      case 'show':
        return this.#show(args.offset ?? 0);
      case 'frame': {
        const contents = await this.#inTime(suspended.frame(args.frame ?? 0));
        const frame = frameResult(contents, this.#session.generation);
        return { frame, text: frameText(frame, this.#session.identity.project) };
      }
      case 'eval':
        return this.#evaluate(needed(args.code, 'eval needs `code`.'), args.frame ?? 0);
      case 'restart':
        return this.#restart(
          needed(args.restart, 'restart needs `restart`, an index or a name that show lists.'),
          args,
        );
      case 'step': {
        const way = args.step ?? 'into';
        return this.#goOn((await this.#let(`step ${way}`)).step(way));
      }
      case 'abort':
        return this.#goOn(suspended.abort(args.level ?? this.#session.level - 1), { givesUp: true });
    }
  }

  async #show(offset: number): Promise<Answer> {
    const suspended = this.#session.debugger(this.#caller.client.key);
    const view = await this.#inTime(suspended.show({ offset, limit: FRAMES_PAGE }));
    const end = offset + view.frames.length;
    const levels = view.levels.map(({ object: _, ...level }) => level);
    const page = { ...view, levels, next: end < view.total ? end : null };
    return { debugger: page, text: debuggerText(page, this.#session.identity.engine) };
  }

  async #evaluate(code: string, frame: number): Promise<Answer> {
    requireBalanced(code, this.#session);
    const request = { kind: 'frame', code, frame } as const;
    const row = await evaluateFor(this.#caller, this.#session, request, this.#options);
    return this.#record(row.id);
  }

  async #restart(
    restart: number | string,
    { arguments: forms, frame }: Pick<DebugArguments, 'arguments' | 'frame'>,
  ): Promise<Answer> {
    const choice = {
      restart,
      ...(forms === undefined ? {} : { arguments: restartArguments(forms, this.#session) }),
      ...(frame === undefined ? {} : { frame }),
    };
    const offered = this.#session.suspended?.condition?.restarts ?? [];
    const name = typeof restart === 'number' ? offered[restart]?.name : restart;
    const givesUp = name?.toUpperCase() === 'ABORT';
    return this.#goOn((await this.#let(restartCode(restart, forms))).restart(choice), { givesUp });
  }

  #let(code: string) {
    return this.#session.debuggerFor(actOf(this.#caller, code));
  }

  /** Waits for the evaluation that was resumed and returns its record: ended, suspended again, or running. */
  async #goOn(leaving: Promise<RestartResult>, { givesUp = false } = {}): Promise<Answer> {
    const { evaluation: id } = await this.#inTime(leaving);
    if (id === undefined) return this.#show(0);
    const evaluation = this.#session.pending(id);
    if (evaluation)
      await waitForEnd(evaluation, this.#session, this.#caller, {
        milliseconds: this.#options.softLimitMs(),
        untilSuspended: true,
        isPatient: true,
      });
    return this.#record(id, givesUp);
  }

  /**
   * Returns the record of the evaluation. One that was aborted on request ends with its condition, which is
   * not a failure of the call.
   */
  #record(id: number, givesUp = false): Answer {
    const row = rowOf(this.#options.history, id);
    const isGivenUp = givesUp && row.outcome === 'error';
    const result = answer(row, this.#caller, isGivenUp ? { ended: ABORTED } : {});
    const { structured: evaluation, text, notes = [] } = result;
    return { evaluation, text, notes, isError: !isGivenUp && isFailure(evaluation) };
  }

  #inTime<T>(answer: Promise<T>): Promise<T> {
    const { suspended } = this.#session;
    const remedy = suspended ? `Cancel job-${suspended.id}, or retry later` : 'Retry later';
    return withinLimit(
      answer,
      this.#options.softLimitMs(),
      this.#caller.signal,
      new HarborError(
        'took_too_long',
        `The debugger has not replied yet. The code that it runs may loop. ${remedy}.`,
      ),
    );
  }
}

function result(
  session: Session,
  { notes, conversation }: { notes: Note[]; conversation: ConversationState },
  { isError = false, notes: ownNotes = [], ...answer }: Omit<Answer, 'text'>,
  text: string,
): ToolResult<DebugResult> {
  const { id, state, level } = session;
  const { evaluation } = answer;
  const status = [
    ...conversation.sessionFacts(id),
    ...(conversation.reportOnce(id, 'state', `${state} ${level}`) || conversation.isShared
      ? [state, `level ${level}`]
      : []),
  ];
  return {
    structured: { session: id, state, level, ...answer, notes },
    text: [text, ...closingLines(status)].join('\n'),
    notes: [...ownNotes, ...notes],
    isError,
    ...(evaluation ? { evaluation: evaluation.id } : {}),
  };
}

/** @throws HarborError `bad_arguments` if the value is absent */
function needed<T>(value: T | undefined, message: string): T {
  if (value === undefined) throw new HarborError('bad_arguments', message);
  return value;
}

// Levels and frames of a suspended session: a frame as data, and both as text that contains every fact of the
// data.

/**
 * A frame whose locals have handles that `inspect` takes, instead of objects. Surrounding source is only for
 * the window.
 */
type FrameResult = Omit<FrameContents, 'locals' | 'source'> & {
  locals: (Omit<Local, 'object'> & { handle?: string })[];
  source: Pick<FrameContents['source'], 'file' | 'form'>;
};

function frameResult(frame: FrameContents, generation: number): FrameResult {
  const { file, form } = frame.source;
  const locals = frame.locals.map(({ object, ...local }) =>
    object === undefined ? local : { ...local, handle: objectHandle(object, generation) },
  );
  return { ...frame, locals, source: { file, form } };
}

/**
 * Returns the text of all levels. `next` is the first frame that is not shown; null at the end. Frames of the
 * engine are only counted.
 */
function debuggerText(view: DebuggerView & { next: number | null }, engine: string): string {
  const levels = view.levels.map(
    ({ level, evaluation, type, message }) =>
      `level ${level} (evaluation ${evaluation}): [${type}] ${message}`,
  );
  return [
    ...levels,
    '[restarts]',
    ...view.restarts.map(restartText),
    '[backtrace]',
    ...frameLines(view.frames, engine, { most: view.frames.length }),
    ...(view.next === null ? [] : [`; ${view.total} frames, more from offset ${view.next}`]),
  ].join('\n');
}

/** @param project files below it are shown by their relative paths */
function frameText(
  { index, call, locals, omitted, source, catches, restarts }: FrameResult,
  project: string,
): string {
  return [
    `${index}: ${call}`,
    ...locals.map(localText),
    ...(omitted === undefined ? [] : [`  … ${omitted} more locals`]),
    ...(source.form === null ? [] : [`runs ${source.form}`]),
    ...(source.file === null ? [] : [`in ${shortPath(source.file, project)}`]),
    ...(catches.length > 0 ? [`catches ${catches.join(', ')}`] : []),
    ...(restarts.length > 0 ? [`restarts with frame: ${index}: ${restarts.join(', ')}`] : []),
  ].join('\n');
}

function localText({ name, value, handle }: FrameResult['locals'][number]): string {
  return `  ${name} = ${value}${handle === undefined ? '' : `  ${handle}`}`;
}
