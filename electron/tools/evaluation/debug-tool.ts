/** The tool `debug`: looks at the levels and frames of a session held in the debugger, and makes it go on. */
import { z } from 'zod';
import { type Departure, StepWay } from '../../contract/debugger';
import { HarborError } from '../../contract/errors';
import { SessionState } from '../../contract/model';
import { restartArguments, restartCode } from '../../sessions/restart-arguments';
import type { Session } from '../../sessions/session/session';
import { sessionOf } from '../arguments';
import { closingLines } from '../closing-lines';
import type { Told } from '../told';
import type { Caller, Tool, ToolResult } from '../tool';
import { requireBalanced } from './balanced-code';
import { debuggerText, frameResult, frameText } from './debugger-result';
import { answer, type EvaluateToolOptions, rowOf, waitOut } from './evaluation-answer';
import { actOf, evaluateFor } from './own-evaluation';
import { BriefRecord, type EvaluationRecord, isFailure } from './record';
import { withinLimit } from './within-limit';

/** Frames in one answer. */
const FRAMES_PAGE = 50;

const DebugArguments = z.strictObject({
  action: z.enum(['show', 'frame', 'eval', 'restart', 'step', 'abort']),
  session: z.string().optional(),
  frame: z.int().min(0).optional().describe('Index; default 0'),
  code: z.string().min(1).max(2_000_000).optional().describe('eval: sees its locals'),
  restart: z
    .union([z.int().min(0), z.string().min(1)])
    .optional()
    .describe('Index or name'),
  arguments: z.array(z.string()).max(50).optional().describe('restart: forms for its values'),
  step: StepWay.optional().describe('Default into'),
  level: z.int().min(0).optional().describe('abort: return to it; 0: top level'),
  offset: z.int().min(0).optional().describe('show: frames to skip'),
});

type DebugArguments = z.infer<typeof DebugArguments>;

/** In outline, where contract/debugger.ts has the whole: the list of tools is read by every agent. */
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
  level: z.int().describe('The innermost debugger level; 0: none is held'),
  debugger: Shown.optional(),
  frame: Frame.optional(),
  evaluation: BriefRecord.optional(),
  notes: z.array(z.string()),
});

type DebugResult = z.infer<typeof DebugResult>;

/** Where the session is then stands beside it. */
const GIVEN_UP = 'Aborted, as asked';

/** What an action answers; the rest of the result is the same for all. */
interface Answer extends Pick<DebugResult, 'debugger' | 'frame'> {
  evaluation?: EvaluationRecord;
  /** Absent for no. */
  isError?: boolean;
  text: string;
}

export function debugTool(options: EvaluateToolOptions): Tool<typeof DebugArguments, typeof DebugResult> {
  return {
    name: 'debug',
    title: 'Debugger',
    description:
      'For a session held by eval with on_error: debug. show: levels, restarts, frames; frame: locals, source; eval: in a frame; restart: also RETURN-FROM-FRAME and RESTART-FRAME; step: a held (step FORM); abort: one level, or down to `level`.',
    scope: 'evaluate',
    args: DebugArguments,
    result: DebugResult,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
    async run(args, caller) {
      const { session, notes } = await sessionOf(args.session, caller, options.sessions);
      const { text, ...answer } = await new DebugCall(options, session, caller).perform(args);
      return result(session, { notes, told: caller.told }, answer, text);
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
    const held = this.#session.debugger(this.#caller.client.key);
    switch (args.action) {
      case 'show':
        return this.#show(args.offset ?? 0);
      case 'frame': {
        const contents = await this.#inTime(held.frame(args.frame ?? 0));
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
        return this.#goOn(held.abort(args.level ?? this.#session.level - 1), { givesUp: true });
    }
  }

  async #show(offset: number): Promise<Answer> {
    const held = this.#session.debugger(this.#caller.client.key);
    const view = await this.#inTime(held.show({ offset, limit: FRAMES_PAGE }));
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
    const offered = this.#session.held?.held?.restarts ?? [];
    const name = typeof restart === 'number' ? offered[restart]?.name : restart;
    const givesUp = name?.toUpperCase() === 'ABORT';
    return this.#goOn((await this.#let(restartCode(restart, forms))).restart(choice), { givesUp });
  }

  #let(code: string) {
    return this.#session.debuggerFor(actOf(this.#caller, code));
  }

  /** Answers what became of the evaluation that was let go on: it has ended, is held anew, or runs. */
  async #goOn(leaving: Promise<Departure>, { givesUp = false } = {}): Promise<Answer> {
    const { evaluation: id } = await this.#inTime(leaving);
    if (id === undefined) return this.#show(0);
    const evaluation = this.#session.pending(id);
    if (evaluation)
      await waitOut(evaluation, this.#session, this.#caller, {
        milliseconds: this.#options.softLimitMs(),
        untilHeld: true,
        isPatient: true,
      });
    return this.#record(id, givesUp);
  }

  /** What was given up on request ends with the condition that held it, and is no failure of the call. */
  #record(id: number, givesUp = false): Answer {
    const row = rowOf(this.#options.history, id);
    const isGivenUp = givesUp && row.outcome === 'error';
    const { structured: evaluation, text } = answer(row, this.#caller, isGivenUp ? { ended: GIVEN_UP } : {});
    return { evaluation, text, isError: !isGivenUp && isFailure(evaluation) };
  }

  #inTime<T>(answer: Promise<T>): Promise<T> {
    const { held } = this.#session;
    const remedy = held ? `Cancel job-${held.id}, or ask again later` : 'Ask again later';
    return withinLimit(
      answer,
      this.#options.softLimitMs(),
      this.#caller.signal,
      `The debugger has not answered yet: code that it runs may loop. ${remedy}.`,
    );
  }
}

function result(
  session: Session,
  { notes, told }: { notes: string[]; told: Told },
  { isError = false, ...answer }: Omit<Answer, 'text'>,
  text: string,
): ToolResult<DebugResult> {
  const { id, state, level } = session;
  const { evaluation } = answer;
  const status = [
    ...told.sessionNews(id),
    ...(told.isNews(id, 'state', `${state} ${level}`) || told.isShared ? [state, `level ${level}`] : []),
  ];
  return {
    structured: { session: id, state, level, ...answer, notes },
    text: [text, ...closingLines(status, notes)].join('\n'),
    isError,
    ...(evaluation ? { evaluation: evaluation.id } : {}),
  };
}

/** @throws HarborError `bad_arguments` when it is absent */
function needed<T>(value: T | undefined, message: string): T {
  if (value === undefined) throw new HarborError('bad_arguments', message);
  return value;
}
