/**
 * Copies that an SBCL image makes of its own process (resources/lisp/sbcl/forks/forks.lisp). The harbor has no
 * descriptor of theirs: what they write, and what is written to them, goes through the image's wire, byte by byte. To
 * whoever uses one it is a process like any that a launcher has started.
 */
import { constants } from 'node:os';
import { Duplex, Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { ErrorCode } from '../../contract/error-code';
import { HarborError } from '../../contract/errors';
import type { SandboxReport } from '../../contract/model';
import type { Activity, LaunchEnd, Launched, Usage } from '../../launchers/launcher';
import { signalNumbered } from '../../launchers/processes';
import type { ForkPurpose, WireEvent, WireRequest } from './wire';

type Named<Name extends WireEvent['event']> = Extract<WireEvent, { event: Name }>;

/** What an image says of its copies. */
export type ForkEvent = Named<'forked' | 'refused' | 'relayed' | 'fork-ended'>;

type Send = (request: WireRequest) => void;

/** Milliseconds in which an image must have made a copy; it waits up to three seconds for threads that end. */
const FORK_MS = 10_000;

export class AgentForks {
  readonly #send: Send;
  readonly #parent: Launched;
  readonly #asked = new Map<number, PromiseWithResolvers<Launched>>();
  readonly #forks = new Map<number, Fork>();
  #count = 0;
  #end: HarborError | null = null;

  constructor(send: Send, parent: Launched) {
    this.#send = send;
    this.#parent = parent;
  }

  /** @throws HarborError as the image says it: `busy`, `threads_running`, `checkpoint_failed`; `took_too_long`, `image_lost` */
  async make(purpose: ForkPurpose): Promise<Launched> {
    if (this.#end) throw this.#end;
    const id = ++this.#count;
    const asked = Promise.withResolvers<Launched>();
    this.#asked.set(id, asked);
    this.#send({ id, ...purpose });
    const late = new AbortController();
    const fork = await Promise.race([asked.promise, tooLate(late.signal)]).finally(() => {
      late.abort();
      this.#asked.delete(id);
    });
    if (fork) return fork;
    throw new HarborError(
      'took_too_long',
      `The image did not answer within ${FORK_MS / 1000} s. If it is stuck, interrupt it or end its session.`,
    );
  }

  receive(event: ForkEvent): void {
    if (event.event === 'forked') this.#forked(event);
    else if (event.event === 'refused') this.#asked.get(event.id)?.reject(refusal(event));
    else if (event.event === 'relayed') this.#forks.get(event.fork)?.heard(event);
    else this.#ended(event);
  }

  /** The image is gone, and its copies with it. */
  ended(description: string): void {
    this.#end = new HarborError('image_lost', `The image cannot answer: ${description}.`);
    for (const { reject } of this.#asked.values()) reject(this.#end);
    for (const fork of this.#forks.values()) fork.end({ code: null, signal: 'SIGKILL' });
    this.#forks.clear();
  }

  #forked({ id, pid }: Named<'forked'>): void {
    if (id > this.#count || this.#forks.has(id)) return; // Not asked for: code of the image has written it.
    const fork = new Fork({ number: id, pid, send: this.#send, parent: this.#parent });
    this.#forks.set(id, fork);
    const asked = this.#asked.get(id);
    if (asked) asked.resolve(fork);
    else void fork.signal('SIGKILL'); // Nobody waits for it any more.
  }

  #ended({ fork, code, signal }: Named<'fork-ended'>): void {
    this.#forks.get(fork)?.end({ code, signal: signal === null ? null : (signalNumbered(signal) ?? null) });
    this.#forks.delete(fork);
  }
}

interface ForkOptions {
  number: number;
  /** As the image knows it. */
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

  heard({ stream, data }: Named<'relayed'>): void {
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

/** A stream into which comes what the image passes on. */
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
