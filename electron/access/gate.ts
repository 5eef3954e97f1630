/**
 * The gate that every tool call passes before it runs: it checks the scope, gets the approval and records the
 * call.
 */

import type { AcceptedCall, Act, ApprovalClass, Approver, Grant } from '../contract/approvals';
import { asFailure, type ErrorCode, HarborError } from '../contract/errors';
import { type Client, type Scope, SessionId } from '../contract/model';
import type { TraceContext } from '../contract/trace-context';
import type { Calls } from '../history/calls';
import { cut } from '../history/long-text';
import type { CallWatch } from './call-watch';
import { grantFor, mayUse } from './grant';

/** Maximum length of a recorded tool name: an unknown name is whatever a client sent. */
const LONGEST_TOOL_NAME = 200;
/** Maximum characters of the recorded arguments as JSON. */
const LONGEST_ARGUMENTS = 64 * 1024;
/** Maximum characters of a recorded answer. */
const LONGEST_ANSWER = 2_000;
/** Values of such names are not recorded. */
const SECRET_KEY = /token|secret|password|authorization/i;
const HIDDEN = '(not recorded)';

/** A call before it runs. */
export interface GatedCall {
  client: Client;
  endpoint: string;
  tool: string;
  /** null for an unknown tool: the call needs no scope, and fails. */
  scope: Scope | null;
  /** The approval that the call needs; null: none. Absent: it follows from the scope. */
  approval?: ApprovalClass | null;
  /** As the client sent them. */
  args: unknown;
  /**
   * Returns the arguments as they will be used. Absent: `args`.
   * @throws HarborError `unknown_tool`, `bad_arguments`
   */
  accept?: () => AcceptedCall;
  /**
   * Refuses the call before an approval is requested.
   * @throws HarborError
   */
  check?: () => void | Promise<void>;
  /** Aborted when the client cancels the call. */
  signal?: AbortSignal;
  /** The trace that the call belongs to. */
  trace?: TraceContext;
}

/** The part of an answer that the gate records. */
export interface CallResult {
  isError: boolean;
  /** Why the call failed; absent if an evaluation failed, because its row has the reason. */
  errorCode?: ErrorCode;
  /** The id of the evaluation that the call made. */
  evaluation?: number;
  /** The answer as text. */
  text?: string;
  /** The answer as data. */
  structured?: object;
}

export class Gate {
  readonly #calls: Calls;
  readonly #approver: Approver;
  readonly #clock: () => number;
  readonly #watch: CallWatch | undefined;

  /**
   * @param clock milliseconds since the epoch
   * @param watch follows the calls for the window; absent: they are not followed
   */
  constructor(calls: Calls, approver: Approver, clock: () => number = Date.now, watch?: CallWatch) {
    this.#calls = calls;
    this.#approver = approver;
    this.#clock = clock;
    this.#watch = watch;
  }

  /**
   * Runs `work` and records the call.
   * @throws HarborError `scope_missing`, `paused`, `not_approved` and what `check` throws, before `work`
   *   begins; otherwise what `work` throws
   */
  async run<R extends CallResult>(call: GatedCall, work: (grant: Grant) => Promise<R>): Promise<R> {
    const watch = this.#watch;
    return watch ? watch.watch(call, () => this.#run(call, work)) : this.#run(call, work);
  }

  async #run<R extends CallResult>(call: GatedCall, work: (grant: Grant) => Promise<R>): Promise<R> {
    const { client, endpoint, args } = call;
    const startedAt = this.#clock();
    const tool = cut(call.tool, LONGEST_TOOL_NAME);
    const recorded = { arguments: recordedArguments(args), session: sessionIn(args) };
    const act = actOf(call);
    const id = this.#calls.open(
      {
        endpoint,
        client: client.key,
        tool,
        ...recorded,
        startedAt,
        ...(call.trace && { trace: call.trace }),
      },
      { evaluates: act?.class === 'evaluate' },
    );
    const close = (errorCode: ErrorCode | null, message: string, result?: R): void =>
      this.#calls.close(id, {
        outcome: result?.isError === false ? 'ok' : 'error',
        errorCode,
        durationMs: this.#clock() - startedAt,
        evaluation: result?.evaluation ?? null,
        answer: result?.evaluation === undefined ? cut(message, LONGEST_ANSWER) : null,
      });
    let result: R;
    try {
      refuseWithoutScope(call);
      const accepted = call.accept?.() ?? { args: Object(args) };
      if (act) {
        await call.check?.();
        await this.#approver.require({ ...act, call: accepted });
      }
      result = await work(grantFor(client.key, act?.class ?? null, accepted, call.trace));
    } catch (error) {
      const { code, message } = asFailure(error);
      close(code, message);
      throw error;
    }
    close(result.errorCode ?? null, result.text ?? '', result);
    return result;
  }
}

function refuseWithoutScope({ client, tool, scope }: GatedCall): void {
  if (scope === null || mayUse(client, scope)) return;
  const has = [...client.scopes].join(', ') || 'none';
  throw new HarborError(
    'scope_missing',
    `${tool} needs the scope "${scope}"; the token of ${client.key} has: ${has}. Issue another token ` +
      'with that scope in the window, under Clients, and give it to this client.',
  );
}

/** Returns null for a call that needs no approval. */
function actOf({ client, tool, scope, approval, args, signal }: GatedCall): Act | null {
  const usual = scope === 'evaluate' ? 'evaluate' : null;
  const act = approval === undefined ? usual : approval;
  if (act === null) return null;
  const session = sessionIn(args);
  const known = { ...(session === null ? {} : { session }), ...(signal ? { signal } : {}) };
  return { client: client.key, class: act, tool, ...known };
}

function sessionIn(args: unknown): string | null {
  const named = typeof args === 'object' && args !== null && 'session' in args ? args.session : null;
  return typeof named === 'string' && SessionId.safeParse(named).success ? named : null;
}

/**
 * Returns the arguments as JSON for the history, without secrets. Long ones become `{"cut": "<its
 * beginning>"}`, so that the column always has valid JSON.
 * @param args the arguments of the client, as parsed from JSON
 */
function recordedArguments(args: unknown): string {
  const json = JSON.stringify(args ?? null, (key, value) => (SECRET_KEY.test(key) ? HIDDEN : value));
  if (json.length <= LONGEST_ARGUMENTS) return json;
  // Quoting doubles the length at most.
  return JSON.stringify({ cut: json.slice(0, LONGEST_ARGUMENTS / 2 - 16).toWellFormed() });
}
