/**
 * The tools of cl-mcp-server about a session: limits of time and output that clients set for it, and its last
 * error. A timeout only ends the waiting; the evaluation continues as a job.
 */

import { z } from 'zod';
import type { Condition } from '../../contract/model';
import { isOfSandbox, NoteText } from '../../contract/note';
import type { Session } from '../../sessions/session/session';
import { type EvaluateToolOptions, MAX_WAIT_MS } from '../../tools/evaluation/evaluation-answer';
import { lastFailedIn } from '../../tools/evaluation/history-tool';
import {
  type EvaluationRecord,
  EvaluationRecord as RecordSchema,
  TEXT_LIMIT,
} from '../../tools/evaluation/record';
import { restartText } from '../../tools/evaluation/record-text';
import type { Caller, Tool, ToolResult } from '../../tools/tool';
import type { SeenHistory } from '../../tools/viewer';
import { errorText } from './cl-mcp-server-text';

/** Arguments that several tools of the profile `cl-mcp-server` take. */
export const packageArgument = z
  .string()
  .optional()
  .describe('Package context (default: the current package)');

export const Code = z.strictObject({
  code: z.string().min(1).describe('Common Lisp code'),
  package: packageArgument,
});

const MAX_OUTPUT_LENGTH = 1_000_000;
const TIMEOUT_NOTE = 'After the timeout an evaluation continues as a job; it is not killed.';

const Limits = z.object({
  /** Seconds. */
  timeout: z.number(),
  'max-output': z.int(),
  notes: z.array(NoteText),
});

const Change = z.strictObject({
  timeout: z
    .int()
    .min(0)
    .max(MAX_WAIT_MS / 1000)
    .optional()
    .describe('Seconds that a call waits before it returns a job; 0: the maximum'),
  'max-output': z
    .int()
    .min(100)
    .max(MAX_OUTPUT_LENGTH)
    .optional()
    .describe('Maximum characters of output and of each value'),
});

interface SetLimits {
  waitMs?: number | undefined;
  maxChars?: number | undefined;
}

/** Limits by session. Clients that share a session share its limits, which end with it. */
export class CallLimits {
  readonly #set = new WeakMap<Session, SetLimits>();
  readonly #options: EvaluateToolOptions;

  constructor(options: EvaluateToolOptions) {
    this.#options = options;
  }

  /** Returns the arguments of `eval` for code in a package. */
  async evalArguments(given: { code: string; package?: string | undefined }, caller: Caller) {
    const { code, package: name } = given;
    const { level } = (await caller.defaultSession()).session;
    return {
      code,
      ...(name === undefined ? {} : { package: name }),
      // A suspended evaluation does not keep this system's clients from evaluating.
      ...(level === 0 ? {} : { level }),
      ...(await this.toArguments(caller)),
    };
  }

  /** Returns the limits of the caller's session as arguments of `eval`. */
  async toArguments(caller: Caller): Promise<{ wait_ms?: number; max_chars?: number }> {
    const { waitMs, maxChars } = this.#of((await caller.defaultSession()).session);
    return {
      ...(waitMs === undefined ? {} : { wait_ms: waitMs }),
      ...(maxChars === undefined ? {} : { max_chars: maxChars }),
    };
  }

  get tool(): Tool<typeof Change, typeof Limits> {
    return {
      name: 'configure-limits',
      title: 'Configure limits',
      description:
        'Sets how long calls wait for an evaluation and how much of its output they show; returns the current limits.',
      scope: 'evaluate',
      args: Change,
      result: Limits,
      annotations: {
        readOnlyHint: false,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      },
      run: async ({ timeout, 'max-output': maxOutput }, caller) => {
        const { session, notes } = await caller.defaultSession();
        const limits = { ...this.#of(session) };
        if (timeout !== undefined) limits.waitMs = timeout === 0 ? MAX_WAIT_MS : timeout * 1000;
        if (maxOutput !== undefined) limits.maxChars = maxOutput;
        this.#set.set(session, limits);
        const seconds = (limits.waitMs ?? this.#options.softLimitMs()) / 1000;
        const characters = limits.maxChars ?? TEXT_LIMIT;
        return {
          structured: { timeout: seconds, 'max-output': characters, notes },
          text: `Current limits:\n  timeout: ${seconds} seconds\n  max-output: ${characters} characters`,
          asides: [...notes, TIMEOUT_NOTE],
          isError: false,
        };
      },
    };
  }

  #of(session: Session): SetLimits {
    return this.#set.get(session) ?? {};
  }
}

const LastError = z.object({ evaluation: RecordSchema.optional(), notes: z.array(NoteText) });
type LastError = z.input<typeof LastError>;

const NONE = 'No error recorded in this session. Run some code that causes an error first.';

const Frames = z.strictObject({ 'max-frames': z.int().min(1).max(1000).optional() });

export function lastErrorTools(options: SeenHistory): Tool[] {
  const kind = {
    scope: 'read',
    result: LastError,
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  } as const;
  const described: Tool = {
    ...kind,
    name: 'describe-last-error',
    title: 'Describe the last error',
    description: 'The last failure in this session: type, message, restarts, backtrace.',
    args: z.strictObject({}),
    run: async (_, caller) =>
      resultOf(await lastFailed(options, caller), (condition, { engine }) =>
        [errorText(condition, engine), '[Restarts]', ...condition.restarts.map(restartText)].join('\n'),
      ),
  };
  const backtrace: Tool<typeof Frames, typeof LastError> = {
    ...kind,
    name: 'get-backtrace',
    title: 'Backtrace of the last error',
    description: 'The stack of the last failure in this session.',
    args: Frames,
    run: async ({ 'max-frames': most = 20 }, caller) =>
      resultOf(await lastFailed(options, caller), ({ frames }) =>
        frames
          .slice(0, most)
          .map(({ index, call }) => `${index}: ${call}`)
          .join('\n'),
      ),
  };
  return [described, backtrace];
}

async function lastFailed({ history }: SeenHistory, caller: Caller): Promise<EvaluationRecord | null> {
  const { session } = await caller.defaultSession();
  return lastFailedIn(session.id, history);
}

function resultOf(
  record: EvaluationRecord | null,
  text: (condition: Condition, record: EvaluationRecord) => string,
): ToolResult<LastError> {
  if (!record?.condition) return { structured: { notes: [] }, text: NONE, isError: false };
  // The evaluation had the others.
  const notes = record.notes.filter(isOfSandbox);
  return {
    structured: { evaluation: record, notes },
    text: text(record.condition, record),
    asides: notes,
    isError: false,
  };
}
