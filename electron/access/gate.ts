/** Every call passes here before it runs: the scope it needs, a person's approval, and its row in the history. */
import type { Act, ApprovalClass, Approver } from '../contract/approvals';
import { asFailure, type ErrorCode, HarborError } from '../contract/errors';
import { type Client, type Scope, SessionId } from '../contract/model';
import type { Calls } from '../history/calls';
import { cut } from '../history/cut-text';
import { mayUse } from './decide';
import { asLetIn } from './let-in';

/** An unknown tool's name is whatever a client sent. */
const LONGEST_TOOL_NAME = 200;
/** Longest JSON of the arguments in one row, in characters. */
const LONGEST_ARGUMENTS = 64 * 1024;
/** Characters of an answer in one row. */
const LONGEST_ANSWER = 2_000;
/** What bears such a name is not recorded. */
const SECRET_KEY = /token|secret|password|authorization/i;
const HIDDEN = '(not recorded)';

/** A call before it runs: who asks for what, through which endpoint. */
export interface GatedCall {
  client: Client;
  endpoint: string;
  tool: string;
  /** null where there is no such tool: the call needs none, and fails. */
  scope: Scope | null;
  /** What a person may be asked about; null for what needs nobody's word. Absent: it follows from the scope. */
  approval?: ApprovalClass | null;
  args: unknown;
  /** What refuses the call whatever a person says: done before they are asked. @throws HarborError */
  check?: () => void | Promise<void>;
  /** Aborted when the client gives the call up. */
  signal?: AbortSignal;
}

/** What the gate must know of an answer. */
export interface CallResult {
  isError: boolean;
  /** Why the call failed; absent when it is an evaluation that failed, whose row says why. */
  errorCode?: ErrorCode;
  /** The row of the history that the call made. */
  evaluation?: number;
  /** What was answered, as text. */
  text?: string;
}

export class Gate {
  readonly #calls: Calls;
  readonly #approver: Approver;
  readonly #clock: () => number;

  /** @param clock milliseconds since the epoch */
  constructor(calls: Calls, approver: Approver, clock: () => number = Date.now) {
    this.#calls = calls;
    this.#approver = approver;
    this.#clock = clock;
  }

  /** Answers what `work` answers, with the call on record.
   * @throws HarborError `scope_missing`, `paused`, `not_approved`, what `check` throws, before `work` has begun; else whatever
   * `work` throws */
  async run<R extends CallResult>(call: GatedCall, work: () => Promise<R>): Promise<R> {
    const { client, endpoint, args } = call;
    const startedAt = this.#clock();
    const tool = cut(call.tool, LONGEST_TOOL_NAME);
    const recorded = { arguments: recordedArguments(args), session: sessionIn(args) };
    const act = actOf(call);
    const id = this.#calls.open(
      { endpoint, client: client.key, tool, ...recorded, startedAt },
      { evaluates: act?.class === 'evaluate' },
    );
    const close = (errorCode: ErrorCode | null, told: string, result?: R): void =>
      this.#calls.close(id, {
        outcome: result?.isError === false ? 'ok' : 'error',
        errorCode,
        durationMs: this.#clock() - startedAt,
        evaluation: result?.evaluation ?? null,
        answer: result?.evaluation === undefined ? cut(told, LONGEST_ANSWER) : null,
      });
    let result: R;
    try {
      refuseWithoutScope(call);
      if (act) {
        await call.check?.();
        await this.#approver.require(act);
      }
      result = await (act ? asLetIn(act.class, work) : work());
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
    `${tool} needs the scope "${scope}"; the token of ${client.key} has: ${has}. ` +
      'Issue another token with that scope in the window, under Clients, and give it to this client.',
  );
}

/** Null for a call that needs nobody's word. */
function actOf({ client, tool, scope, approval, args, signal }: GatedCall): Act | null {
  const usual = scope === 'evaluate' ? 'evaluate' : null;
  const act = approval === undefined ? usual : approval;
  if (act === null) return null;
  const session = sessionIn(args);
  const known = { ...(session === null ? {} : { session }), ...(signal ? { signal } : {}) };
  return { client: client.key, class: act, tool, code: codeIn(args), ...known };
}

function sessionIn(args: unknown): string | null {
  const named = typeof args === 'object' && args !== null && 'session' in args ? args.session : null;
  return typeof named === 'string' && SessionId.safeParse(named).success ? named : null;
}

function codeIn(args: unknown): string {
  if (typeof args === 'object' && args !== null && 'code' in args && typeof args.code === 'string')
    return args.code;
  return JSON.stringify(args ?? null, null, 2);
}

/**
 * The arguments as the history keeps them, without secrets. What is too long becomes `{"cut": "<its beginning>"}`, so that
 * the column always holds JSON.
 * @param args whatever a client sent, as parsed from JSON
 */
export function recordedArguments(args: unknown): string {
  const json = JSON.stringify(args ?? null, (key, value) => (SECRET_KEY.test(key) ? HIDDEN : value));
  if (json.length <= LONGEST_ARGUMENTS) return json;
  // Quoted again, each character takes two at most.
  return JSON.stringify({ cut: json.slice(0, LONGEST_ARGUMENTS / 2 - 16).toWellFormed() });
}
