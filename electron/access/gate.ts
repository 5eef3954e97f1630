/**
 * The gate that every tool call passes before it runs: it checks the scope, gets the approval and records the
 * call. It also watches calls for the window.
 */

import { EventEmitter } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import {
  type AcceptedCall,
  type Act,
  type ApprovalClass,
  type Approver,
  FileRefused,
  type Grant,
  type LastCall,
  type Refusal,
} from '../contract/approvals';
import { asFailure, type ErrorCode, HarborError } from '../contract/errors';
import { type Client, type Scope, SessionId } from '../contract/model';
import type { Calls } from '../history/calls';
import { cut } from '../history/long-text';
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
      { endpoint, client: client.key, tool, ...recorded, startedAt },
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
      result = await work(grantFor(client.key, act?.class ?? null, accepted));
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

/** Watches calls for the window: the last call of each client, and recently refused files. */
interface CallWatchEvents {
  /** The list of refusals has changed. */
  refusals: [];
  /** Calls have begun or ended. */
  calls: [];
}

/** Maximum refusals in the list. */
const MOST_REFUSALS = 50;
const MOST_CLIENTS = 50;
/** Maximum characters of the description of a call. */
const LONGEST_ABOUT = 200;

/** Calls are reported at most once in this many milliseconds. */
const NOTIFY_INTERVAL_MS = 250;

export class CallWatch extends EventEmitter<CallWatchEvents> {
  readonly #clock: () => number;
  #refusals: readonly Refusal[] = [];
  readonly #calls = new Map<string, LastCall>();
  #refused = 0;
  #telling: NodeJS.Timeout | undefined;

  /** @param clock milliseconds since the epoch */
  constructor(clock: () => number = Date.now) {
    super();
    this.#clock = clock;
  }

  /** Newest last. */
  get refusals(): readonly Refusal[] {
    return this.#refusals;
  }

  /** Most recent first. */
  get calls(): LastCall[] {
    return [...this.#calls.values()].reverse();
  }

  /** Runs `work` and watches it. */
  async watch<R extends CallResult>(call: GatedCall, work: () => Promise<R>): Promise<R> {
    const { client, tool } = call;
    const begun = { client: client.key, tool, about: aboutCall(call.args), startedAt: this.#clock() };
    const last: LastCall = { ...begun, endedAt: null, failed: false };
    this.#notify(last);
    try {
      const result = await work();
      this.#ended(last, result.isError);
      return result;
    } catch (error) {
      this.#ended(last, true);
      if (error instanceof FileRefused) this.#note(error, call);
      throw error;
    }
  }

  /** Removes a refusal from the list. */
  dismiss(id: number): void {
    this.#keep(this.#refusals.filter((refusal) => refusal.id !== id));
  }

  /** Removes refusals of files that are allowed by now. */
  settle(isOpen: (refusal: Refusal) => boolean): void {
    this.#keep(this.#refusals.filter((refusal) => !isOpen(refusal)));
  }

  #note({ file }: FileRefused, { client: { key: client }, tool }: GatedCall): void {
    const same = (other: Refusal) => other.client === client && other.path === file.path;
    const before = this.#refusals.find(same);
    const others = this.#refusals.filter((other) => other !== before);
    const refusal: Refusal = {
      ...file,
      id: before?.id ?? ++this.#refused,
      client,
      tool,
      folder: likelyFolder(file.path),
      times: (before?.times ?? 0) + 1,
      at: this.#clock(),
    };
    this.#keep([...others, refusal].slice(-MOST_REFUSALS));
  }

  #keep(refusals: readonly Refusal[]): void {
    this.#refusals = refusals;
    this.emit('refusals');
  }

  #ended(last: LastCall, failed: boolean): void {
    Object.assign(last, { endedAt: this.#clock(), failed });
    this.#changed();
  }

  #notify(last: LastCall): void {
    this.#calls.delete(last.client);
    this.#calls.set(last.client, last);
    const [oldest] = this.#calls.keys();
    if (this.#calls.size > MOST_CLIENTS && oldest !== undefined) this.#calls.delete(oldest);
    this.#changed();
  }

  #changed(): void {
    if (this.#telling !== undefined) return;
    this.#telling = setTimeout(() => {
      this.#telling = undefined;
      this.emit('calls');
    }, NOTIFY_INTERVAL_MS).unref();
  }
}

/** The argument that describes a call best, in this order. */
const TELLING = ['code', 'path', 'query', 'symbol', 'system', 'name', 'action', 'job'] as const;

function aboutCall(args: unknown): string {
  const argument = Object(args) as Readonly<Record<string, unknown>>;
  const about = TELLING.map((name) => argument[name]).find((value) => typeof value === 'string');
  return String(about ?? '')
    .trim()
    .replace(/\s+/g, ' ')
    .slice(0, LONGEST_ABOUT);
}

/** Files that mark the root of a library. */
const OF_A_ROOT = /\.asd$|^(?:deps\.edn|project\.clj|shadow-cljs\.edn|bb\.edn|cert\.acl2|\.git)$/;
/** Maximum levels above a file at which its library is looked for. */
const LEVELS = 4;

/** Returns the library folder of the file, or else its folder. */
function likelyFolder(file: string): string {
  const own = path.dirname(file);
  let at = own;
  for (let level = 0; level < LEVELS && path.dirname(at) !== at; level += 1) {
    if (namesIn(at).some((name) => OF_A_ROOT.test(name))) return at;
    at = path.dirname(at);
  }
  return own;
}

function namesIn(folder: string): string[] {
  try {
    return existsSync(folder) ? readdirSync(folder) : [];
  } catch {
    return [];
  }
}
