/**
 * The REPLs of SLY in one conversation. Each is a pair of channels: code is sent to the channel of the image, and
 * values, output and prompts come to the channel of Emacs. Requests and answers of other kinds do not concern them.
 */
import { stringRead } from '../../source/s-expression';
import { type Datum, Token } from './swank-data';

export interface SlyRepl {
  /** The channel of Emacs. */
  readonly remote: number;
  /** The channel of the image, and its thread there; null until the image has answered. */
  channel: number | null;
  thread: number | null;
  /** The last prompt as it was sent: `(:prompt PACKAGE NICKNAME LEVEL HISTORY)`. */
  prompt: Datum[];
  /** The package of the prompt. */
  package: string;
  /** Whether a line that is sent is input of code that reads, and not code. */
  reads: boolean;
}

/** A message of Emacs to a REPL. `code` is what it evaluates, if it evaluates. */
interface SentToRepl {
  repl: SlyRepl | null;
  code: string | null;
}

const CREATES = /^\(:emacs-rex \(slynk-mrepl:create-mrepl (\d+)\)/i;
const SENDS = /^\(:emacs-channel-send (\d+) \(:process ("[^"\\]*(?:\\[\s\S][^"\\]*)*")\)\)\s*$/;
const CHANNEL = /^\(:emacs-channel-send (\d+) /;

export class SlyRepls {
  /** By the channel of Emacs. */
  readonly #repls = new Map<number, SlyRepl>();
  /** The requests that create one. */
  readonly #creating = new Map<number, SlyRepl>();

  /** Called with a request of Emacs. */
  requested(text: string, id: number): void {
    const [, channel] = CREATES.exec(text) ?? [];
    if (channel === undefined) return;
    const remote = Number(channel);
    const repl = { remote, channel: null, thread: null, prompt: [], package: 'CL-USER', reads: false };
    this.#repls.set(remote, repl);
    this.#creating.set(id, repl);
  }

  /** Reads a message of Emacs to a channel. */
  sent(text: string): SentToRepl {
    const channel = Number(CHANNEL.exec(text)?.[1]);
    const repl = this.#find((each) => each.channel === channel);
    const [, , written] = SENDS.exec(text) ?? [];
    return { repl, code: written === undefined || repl?.reads ? null : stringRead(written) };
  }

  /** Called with a message of the image. Returns the REPL that it concerns, if any. */
  replied(kind: string, rest: readonly Datum[]): SlyRepl | null {
    if (this.#repls.size === 0) return null;
    if (kind === ':return') return this.#created(rest);
    const [first, message] = rest;
    if (kind === ':debug') return this.#find(({ thread }) => thread === numberIn(first));
    if (kind !== ':channel-send' || !Array.isArray(message)) return null;
    const repl = this.#repls.get(numberIn(first)) ?? null;
    if (repl) this.#received(repl, message);
    return repl;
  }

  #created([result, id]: readonly Datum[]): null {
    const repl = this.#creating.get(numberIn(id));
    this.#creating.delete(numberIn(id));
    const [, value] = Array.isArray(result) ? result : [];
    const [channel, thread] = Array.isArray(value) ? value : [];
    if (repl && channel !== undefined && thread !== undefined)
      Object.assign(repl, { channel: numberIn(channel), thread: numberIn(thread) });
    return null;
  }

  #received(repl: SlyRepl, message: Datum[]): void {
    const [selector, argument] = message;
    const name = selector instanceof Token ? selector.text : '';
    if (name === ':set-read-mode') repl.reads = argument instanceof Token && argument.text === ':read';
    if (name === ':server-side-repl-close') this.#repls.delete(repl.remote);
    if (name !== ':prompt') return;
    repl.prompt = message;
    repl.reads = false;
    if (typeof argument === 'string') repl.package = argument;
  }

  #find(matches: (repl: SlyRepl) => boolean): SlyRepl | null {
    return [...this.#repls.values()].find(matches) ?? null;
  }
}

function numberIn(datum: Datum | undefined): number {
  return datum instanceof Token ? Number(datum.text) : Number.NaN;
}
