/** Watches calls for the window: the last call of each client, and recently refused files. */

import { EventEmitter } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { type CallEnding, FileRefused, type LastCall, type Refusal } from '../contract/approvals';
import { asFailure, type ErrorCode } from '../contract/errors';
import type { Client } from '../contract/model';

interface WatchedCall {
  client: Pick<Client, 'key'>;
  tool: string;
  args: unknown;
}

interface WatchedResult {
  isError: boolean;
  errorCode?: ErrorCode;
  /** The data. That of an evaluation has its outcome. */
  structured?: object;
}

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
  async watch<R extends WatchedResult>(call: WatchedCall, work: () => Promise<R>): Promise<R> {
    const { client, tool } = call;
    const begun = { client: client.key, tool, about: aboutCall(call.args), startedAt: this.#clock() };
    const last: LastCall = { ...begun, endedAt: null, ending: null };
    this.#notify(last);
    try {
      const result = await work();
      this.#ended(last, endingOf(result));
      return result;
    } catch (error) {
      this.#ended(last, endingOfCode(asFailure(error).code));
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

  #note({ file }: FileRefused, { client: { key: client }, tool }: WatchedCall): void {
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

  #ended(last: LastCall, ending: CallEnding): void {
    Object.assign(last, { endedAt: this.#clock(), ending });
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

function endingOf({ isError, errorCode, structured }: WatchedResult): CallEnding {
  const outcome = structured && 'outcome' in structured ? structured.outcome : undefined;
  if (outcome === 'interrupted') return 'stopped';
  if (outcome === 'refused') return 'refused';
  if (!isError) return 'ok';
  return errorCode === undefined ? 'failed' : endingOfCode(errorCode);
}

function endingOfCode(code: ErrorCode): CallEnding {
  switch (code) {
    case 'paused':
      return 'paused';
    case 'cancelled':
      return 'stopped';
    case 'not_approved':
    case 'file_not_allowed':
    case 'path_not_allowed':
    case 'project_not_approved':
    case 'secret_path':
    case 'scope_missing':
      return 'refused';
    default:
      return 'failed';
  }
}

/** The argument that describes a call best, in this order. */
const TELLING = ['code', 'path', 'query', 'symbol', 'system', 'name', 'action', 'job'] as const;

/** White space that is not a single space. */
const UNEVEN = /\s\s|[^\S ]/;

function aboutCall(args: unknown): string {
  const argument = Object(args) as Readonly<Record<string, unknown>>;
  const about = TELLING.map((name) => argument[name]).find((value) => typeof value === 'string');
  const text = String(about ?? '').trim();
  return (UNEVEN.test(text) ? text.replace(/\s+/g, ' ') : text).slice(0, LONGEST_ABOUT);
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
