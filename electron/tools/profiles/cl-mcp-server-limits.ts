/**
 * How long calls of cl-mcp-server's tools wait, and how much they show, as its clients set it for their session. A
 * timeout ends the waiting only: what still runs then goes on as a job.
 */
import { z } from 'zod';
import type { Session } from '../../sessions/session/session';
import { type EvaluateToolOptions, LONGEST_WAIT_MS } from '../evaluation/evaluation-answer';
import { TEXT_LIMIT } from '../evaluation/record';
import type { Caller, Tool } from '../tool';

const LONGEST_OUTPUT = 1_000_000;
const WHAT_A_TIMEOUT_DOES = 'After the timeout an evaluation goes on as a job; nothing is killed.';

const Limits = z.object({
  /** Seconds. */
  timeout: z.number(),
  'max-output': z.int(),
  notes: z.array(z.string()),
});

const Change = z.strictObject({
  timeout: z
    .int()
    .min(0)
    .max(LONGEST_WAIT_MS / 1000)
    .optional()
    .describe('Seconds that a call waits before it answers with a job; 0: as long as calls may'),
  'max-output': z
    .int()
    .min(100)
    .max(LONGEST_OUTPUT)
    .optional()
    .describe('Characters of output and of each value that are shown'),
});

interface SetLimits {
  waitMs?: number | undefined;
  maxChars?: number | undefined;
}

/** Limits are a session's: who shares it shares them, and they end with it. */
export class CallLimits {
  readonly #set = new WeakMap<Session, SetLimits>();
  readonly #options: EvaluateToolOptions;

  constructor(options: EvaluateToolOptions) {
    this.#options = options;
  }

  /** What `code`, in a package of that call, asks of `eval`. */
  async evalArguments(given: { code: string; package?: string | undefined }, caller: Caller) {
    const { code, package: name } = given;
    return { code, ...(name === undefined ? {} : { package: name }), ...(await this.toArguments(caller)) };
  }

  /** The limits of the caller's session as arguments of `eval`. */
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
        'Sets how long calls wait for an evaluation and how much of its output they show; answers the limits in force.',
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
        if (timeout !== undefined) limits.waitMs = timeout === 0 ? LONGEST_WAIT_MS : timeout * 1000;
        if (maxOutput !== undefined) limits.maxChars = maxOutput;
        this.#set.set(session, limits);
        const seconds = (limits.waitMs ?? this.#options.softLimitMs()) / 1000;
        const characters = limits.maxChars ?? TEXT_LIMIT;
        return {
          structured: { timeout: seconds, 'max-output': characters, notes },
          text: `Current limits:\n  timeout: ${seconds} seconds\n  max-output: ${characters} characters`,
          asides: [...notes, WHAT_A_TIMEOUT_DOES],
          isError: false,
        };
      },
    };
  }

  #of(session: Session): SetLimits {
    return this.#set.get(session) ?? {};
  }
}
