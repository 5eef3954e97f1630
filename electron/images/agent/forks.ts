/**
 * Forks of an SBCL image's process (resources/lisp/sbcl/forks/forks.lisp). The app has no descriptors of
 * them: their streams are relayed over the image's wire, byte by byte. A fork implements `Launched`, like a
 * process started by a launcher.
 */
import { constants } from 'node:os';
import { Duplex, Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { HarborError } from '../../contract/errors';
import { ErrorCode, type SandboxReport } from '../../contract/model';

import type { Activity, LaunchEnd, Launched, Usage } from '../../launchers/launcher';
import { signalNumbered } from '../../launchers/processes';
import type { ForkPurpose, WireEvent, WireRequest } from './wire';

type Named<Name extends WireEvent['event']> = Extract<WireEvent, { event: Name }>;

/** Events about forks. */
export type ForkEvent = Named<'forked' | 'refused' | 'relayed' | 'fork-ended'>;

type Send = (request: WireRequest) => void;

/** Maximum milliseconds for a fork; the image waits up to three seconds for ending threads. */
const FORK_MS = 10_000;

export class AgentForks {
  readonly #send: Send;
  readonly #parent: Launched;
  readonly #pending = new Map<number, PromiseWithResolvers<Launched>>();
  readonly #forks = new Map<number, Fork>();
  #count = 0;
  #end: HarborError | null = null;

  constructor(send: Send, parent: Launched) {
    this.#send = send;
    this.#parent = parent;
  }

  /**
   * @throws HarborError with the image's error: `busy`, `threads_running`, `checkpoint_failed`;
   *   `took_too_long`, `image_lost`
   */
  async make(purpose: ForkPurpose): Promise<Launched> {
    if (this.#end) throw this.#end;
    const id = ++this.#count;
    const pending = Promise.withResolvers<Launched>();
    this.#pending.set(id, pending);
    this.#send({ id, ...purpose });
    const late = new AbortController();
    const fork = await Promise.race([pending.promise, tooLate(late.signal)]).finally(() => {
      late.abort();
      this.#pending.delete(id);
    });
    if (fork) return fork;
    throw new HarborError(
      'took_too_long',
      `The image did not answer within ${FORK_MS / 1000} s. If it is stuck, interrupt it or end its session.`,
    );
  }

  receive(event: ForkEvent): void {
    if (event.event === 'forked') this.#forked(event);
    else if (event.event === 'refused') this.#pending.get(event.id)?.reject(refusal(event));
    else if (event.event === 'relayed') this.#forks.get(event.fork)?.receive(event);
    else this.#ended(event);
  }

  /** Called when the image has ended, and its forks with it. */
  ended(description: string): void {
    this.#end = new HarborError('image_lost', `The image cannot answer: ${description}.`);
    for (const { reject } of this.#pending.values()) reject(this.#end);
    for (const fork of this.#forks.values()) fork.end({ code: null, signal: 'SIGKILL' });
    this.#forks.clear();
  }

  #forked({ id, pid }: Named<'forked'>): void {
    if (id > this.#count || this.#forks.has(id)) return; // Not requested: forged by code in the image.
    const fork = new Fork({ number: id, pid, send: this.#send, parent: this.#parent });
    this.#forks.set(id, fork);
    const pending = this.#pending.get(id);
    if (pending) pending.resolve(fork);
    else void fork.signal('SIGKILL'); // The request timed out.
  }

  #ended({ fork, code, signal }: Named<'fork-ended'>): void {
    this.#forks.get(fork)?.end({ code, signal: signal === null ? null : (signalNumbered(signal) ?? null) });
    this.#forks.delete(fork);
  }
}

interface ForkOptions {
  number: number;
  /** The pid that the image knows. */
  pid: number;
  send: Send;
  parent: Launched;
}

class Fork implements Launched {
  readonly wire: Duplex;
  readonly stdout = relayed();
  readonly stderr = relayed();
  readonly sandbox: SandboxReport;
  readonly ended: Promise<LaunchEnd>;
  readonly #options: ForkOptions;
  readonly #end: (end: LaunchEnd) => void;

  constructor(options: ForkOptions) {
    this.#options = options;
    this.sandbox = options.parent.sandbox;
    this.wire = this.#duplex();
    const { promise, resolve } = Promise.withResolvers<LaunchEnd>();
    this.ended = promise;
    this.#end = resolve;
  }

  async signal(name: NodeJS.Signals): Promise<void> {
    this.#options.send({ op: 'signal', fork: this.#options.number, signal: constants.signals[name] });
  }

  usage(): Promise<Usage | null> {
    return this.#options.parent.usage(this.#options.pid);
  }

  async activity(): Promise<Activity | null> {
    return (await this.#options.parent.activity?.(this.#options.pid)) ?? null;
  }

  receive({ stream, data }: Named<'relayed'>): void {
    this[stream].push(Buffer.from(data, 'latin1'));
  }

  end(end: LaunchEnd): void {
    for (const stream of [this.wire, this.stdout, this.stderr]) stream.push(null);
    this.#end(end);
  }

  #duplex(): Duplex {
    const { number, send } = this.#options;
    const relay = (data: string | null) => send({ op: 'relay', fork: number, data });
    return new Duplex({
      read: () => undefined,
      write: (chunk: Buffer, _encoding, done) => {
        relay(chunk.toString('latin1'));
        done();
      },
      final: (done) => {
        relay(null);
        done();
      },
    });
  }
}

/** A stream that receives relayed data. */
function relayed(): Readable {
  return new Readable({ read: () => undefined });
}

function refusal({ code, message }: Named<'refused'>): HarborError {
  const known = ErrorCode.safeParse(code);
  return new HarborError(known.success ? known.data : 'checkpoint_failed', message);
}

async function tooLate(signal: AbortSignal): Promise<null> {
  return delay(FORK_MS, null, { signal, ref: false }).catch(() => null);
}
