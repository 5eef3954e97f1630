/**
 * A session as an editor sees it over nREPL. An image with an nREPL server of its own answers the editor's
 * requests; for every other image the session answers them. Evaluations are the session's in both cases.
 */

import type { SymbolDescription } from '../../contract/knowledge';
import type { EngineName, Evaluation, Stream } from '../../contract/model';
import { addListeners } from '../../host/listeners';
import type { InputSource } from '../../images/image';
import type { NreplServer, RelayedRequest } from '../../images/optional-groups';
import type { SessionEvents } from '../journal';
import { completions, inTime } from '../listeners';
import type { Session } from '../session/session';
import { EditorSession } from './editor-session';

/** An evaluation that an editor requests. */
export interface EditorEvaluation {
  /** The editor. */
  client: string;
  code: string;
  /** For this evaluation only; absent: that of the session, which the code may change. */
  package?: string;
  /** The request for the image's own server; absent: the session evaluates form by form. */
  relayed?: RelayedRequest;
  input?: InputSource;
  /** Receives output, also after the end. Absent: the image's own server sends it. */
  output?: (stream: Stream, text: string) => void;
}

/** An evaluation of an editor that is queued, runs or has ended. */
export interface StartedEvaluation {
  /** Resolves with the closed row. Never rejects. */
  readonly settled: Promise<Evaluation>;
  /** Interrupts it, or removes it from the queue. */
  cancel(): Promise<unknown>;
  /** Removes it from the queue; one that has begun goes on. */
  withdraw(): void;
}

/** Milliseconds in which an image answers what it knows of a name. Editors wait without blocking their user. */
const KNOWLEDGE_MS = 10_000;

/** Number of evaluations of a connection whose late output is shown. */
const MOST_FOLLOWED = 100;

export class NreplEditorSession extends EditorSession {
  readonly #events: SessionEvents;

  constructor(session: Session, client: string, events: SessionEvents) {
    super(session, client, ';; An editor connects with nREPL.');
    this.#events = events;
  }

  /** nREPL needs no preparation. */
  async start(): Promise<null> {
    return null;
  }

  /** Connections leave nothing in an image. */
  async stop(): Promise<string[]> {
    return [];
  }

  /** @throws HarborError `session_ended`, `image_lost` */
  async connect(): Promise<NreplConnection> {
    await this.revive();
    const server = this.of.offers('nrepl') ? this.of.ability('nrepl') : null;
    if (server) this.of.lineages.mayChangeUnseen();
    return new NreplConnection(this.of, this.#events, server);
  }
}

/** The part of the session that one connection of an editor uses. */
export class NreplConnection {
  /** The image's own server; null if there is none. */
  readonly server: NreplServer | null;
  /** Resolves when its session, or the server of its image, has ended. */
  readonly ended: Promise<unknown>;
  readonly #session: Session;
  readonly #outputs = new Map<number, (stream: Stream, text: string) => void>();
  readonly #removeListeners: () => void;

  constructor(session: Session, events: SessionEvents, server: NreplServer | null) {
    this.#session = session;
    this.server = server;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#removeListeners = addListeners(events, (on) => {
      on('output', ({ evaluation, stream, text }) => this.#outputs.get(evaluation)?.(stream, text));
      on('ended', (ended) => {
        if (ended === session.id) resolve();
      });
    });
    this.ended = server ? Promise.race([promise, server.ended]) : promise;
  }

  get engine(): EngineName {
    return this.#session.identity.engine;
  }

  get package(): string {
    return this.#session.package;
  }

  /**
   * Queues an evaluation; its row is open on return.
   * @throws HarborError `session_ended`, `not_supported`
   */
  evaluate({ output, ...requested }: EditorEvaluation): StartedEvaluation {
    const session = this.#session;
    const { client } = requested;
    const evaluation = session.evaluate({ ...requested, grant: null, kind: 'eval', onError: 'report' });
    if (output) this.#follow(evaluation.id, output);
    return {
      settled: evaluation.settled,
      cancel: () => session.cancel(evaluation, client),
      withdraw: () => {
        if (session.before(evaluation) !== null) void session.cancel(evaluation);
      },
    };
  }

  /** Returns names that begin with `prefix`; none if the image has no answer in time. */
  completions(prefix: string, packageName?: string): Promise<{ name: string; kind: string }[]> {
    return completions(this.#session, prefix, packageName, KNOWLEDGE_MS);
  }

  /** Returns null if the symbol is unknown or the image has no answer in time. */
  async lookup(symbol: string, packageName?: string): Promise<SymbolDescription | null> {
    const session = this.#session;
    if (!session.offers('knowledge')) return null;
    const request = { symbol, ...(packageName === undefined ? {} : { package: packageName }) };
    return inTime(async () => session.ability('knowledge').describe(request), KNOWLEDGE_MS);
  }

  end(): void {
    this.#removeListeners();
    this.#outputs.clear();
  }

  #follow(id: number, output: (stream: Stream, text: string) => void): void {
    this.#outputs.set(id, output);
    const [oldest] = this.#outputs.keys();
    if (this.#outputs.size > MOST_FOLLOWED && oldest !== undefined) this.#outputs.delete(oldest);
  }
}
