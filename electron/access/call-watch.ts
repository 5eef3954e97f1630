/** What clients do, for people who watch: the last call of each, and the files that were refused lately. */
import { EventEmitter } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { FileRefused, type LastCall, type Refusal } from '../contract/needs';
import { type CallResult, Gate, type GatedCall } from './gate';

export interface CallWatchEvents {
  /** Another file was refused, or one is no longer told of. */
  refusals: [];
  /** Calls have begun or ended. */
  calls: [];
}

/** As many are told of. */
const MOST_REFUSALS = 50;
const MOST_CLIENTS = 50;
/** Characters of what a call was asked for. */
const LONGEST_ABOUT = 200;

/** Calls of a moment are told together, after so many milliseconds. */
const TOLD_EVERY_MS = 250;

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

  /** The newest last. */
  get refusals(): readonly Refusal[] {
    return this.#refusals;
  }

  /** The client first that called last. */
  get calls(): LastCall[] {
    return [...this.#calls.values()].reverse();
  }

  /** Answers what `work` does, which is the call. */
  async watch<R extends CallResult>(call: GatedCall, work: () => Promise<R>): Promise<R> {
    const { client, tool } = call;
    const begun = { client: client.key, tool, about: aboutCall(call.args), startedAt: this.#clock() };
    const last: LastCall = { ...begun, endedAt: null, failed: false };
    this.#tell(last);
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

  /** Tells of a refusal no longer. */
  dismiss(id: number): void {
    this.#keep(this.#refusals.filter((refusal) => refusal.id !== id));
  }

  /** Tells no longer of files that may be used by now. */
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

  #tell(last: LastCall): void {
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
    }, TOLD_EVERY_MS).unref();
  }
}

/** A gate whose calls are watched. */
export class WatchedGate extends Gate {
  readonly #watch: CallWatch;

  constructor(watch: CallWatch, ...gate: ConstructorParameters<typeof Gate>) {
    super(...gate);
    this.#watch = watch;
  }

  override run<R extends CallResult>(call: GatedCall, work: () => Promise<R>): Promise<R> {
    return this.#watch.watch(call, () => super.run(call, work));
  }
}

/** The argument by which a person knows a call again. */
const TELLING = ['code', 'path', 'query', 'symbol', 'system', 'name', 'action', 'job'] as const;

function aboutCall(args: unknown): string {
  const given = Object(args) as Readonly<Record<string, unknown>>;
  const about = TELLING.map((name) => given[name]).find((value) => typeof value === 'string');
  return String(about ?? '')
    .trim()
    .replace(/\s+/g, ' ')
    .slice(0, LONGEST_ABOUT);
}

/** What the root of a library has in it. */
const OF_A_ROOT = /\.asd$|^(?:deps\.edn|project\.clj|shadow-cljs\.edn|bb\.edn|cert\.acl2|\.git)$/;
/** How far above a file its library may begin. */
const LEVELS = 4;

/** The library that the file is in, else the folder that it is in. */
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
