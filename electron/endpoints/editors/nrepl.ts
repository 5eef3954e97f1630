/**
 * Serves nREPL on a port to a person's editor. If the image of the session has an nREPL server, requests are
 * passed on to it, so that each op and middleware works; otherwise the session answers the usual ops.
 * Evaluations are the session's: queue, interrupt, approvals and history apply. https://nrepl.org
 */

import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { asFailure } from '../../contract/errors';
import { editorNamed, NREPL_EDITOR } from '../../contract/known-clients';
import type { Evaluation, Stream } from '../../contract/model';
import { isOfSandbox, type Note, noteTexts } from '../../contract/note';
import {
  BencodeDecoder,
  type BencodeDictionary,
  type BencodeValue,
  encode,
  statusOf,
  textOf,
} from '../../host/bencode';
import type { Log } from '../../host/log';
import { VERSION } from '../../host/paths';
import { WireReader } from '../../host/wire-reader';
import type { EditorHost, ServedSession } from './editor-ports';
import {
  ALL_OPS,
  codeIn,
  EVALUATES,
  type KnownNames,
  knownAnswer,
  NEVER_EVALUATES,
  OWN_OPS,
  SIDELOADER_LOOKUP,
  STOPPED,
  unqualified,
} from './nrepl-ops';
import { answerTo, dictionary, EditorInput, EvaluationReply } from './nrepl-replies';

type Request = BencodeDictionary & { op: string };

interface Relayed {
  message: Request;
  receive: (message: BencodeDictionary) => void;
}

interface Evaluating {
  readonly settled: Promise<Evaluation>;
  cancel(): Promise<unknown>;
  withdraw(): void;
}

/** The part of a session that one connection uses. */
interface NreplSide extends KnownNames {
  /** The nREPL server of the image; null if it has none. */
  readonly server: { send(request: Relayed): Promise<boolean> } | null;
  /** Resolves when its session, or the server of its image, has ended. */
  readonly ended: Promise<unknown>;
  /** Queues an evaluation. @throws HarborError */
  evaluate(requested: {
    client: string;
    code: string;
    package?: string;
    relayed?: Relayed;
    input?: () => Promise<string | null>;
    output?: (stream: Stream, text: string) => void;
  }): Evaluating;
  end(): void;
}

export interface NreplServedSession extends ServedSession {
  /** @throws HarborError why it cannot be used */
  connect(): Promise<NreplSide>;
}

interface NreplOptions {
  /** Returns why the user lets this client evaluate nothing now; null if it may. */
  refusal: (client: string) => string | null;
  log: Log;
  helloTimeoutMs?: number;
}

/** Time in which a new connection must send its first message, in milliseconds. */
const HELLO_TIMEOUT_MS = 30_000;

/** Maximum number of evaluations of a connection without an outcome. */
const MOST_EVALUATIONS = 1_000;

/** Limits of an editor's message: the text of a file at most. */
const LIMITS = { bytes: 16 * 1024 * 1024, depth: 50, values: 100_000 };

/** Serves a connection. Resolves when it is closed. */
export async function serveNrepl(
  socket: Socket,
  host: EditorHost<NreplServedSession>,
  joined: (version: null) => void,
  options: NreplOptions,
): Promise<void> {
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(() => socket.destroy(), options.helloTimeoutMs ?? HELLO_TIMEOUT_MS);
  let conversation: Promise<NreplConversation> | null = null;
  // Messages are answered in order, also those that arrive while the session is opened.
  let last: Promise<void> = Promise.resolve();
  const begin = (): Promise<NreplConversation> => {
    conversation ??= converse(socket, host, options).catch((error: unknown) => {
      // The next request tries again.
      conversation = null;
      throw error;
    });
    return conversation;
  };
  const serve = async (request: Request): Promise<void> => {
    try {
      await (await begin()).serve(request);
    } catch (error) {
      const { code, message } = asFailure(error);
      if (code === 'internal') options.log.error('An nREPL request failed', error);
      write(socket, answerTo(request, { err: `${message}\n` }));
      write(socket, answerTo(request, { status: ['done', 'error', REFUSED] }));
    }
  };
  new WireReader(socket, new BencodeDecoder(LIMITS), {
    message: (value) => {
      const request = requestIn(value);
      clearTimeout(timer);
      joined(null);
      last = last.then(() => serve(request));
    },
    // The first byte of HTTP or TLS, which a web page could send, begins no message.
    lost: () => socket.destroy(),
  });
  socket.on('end', () => socket.end());
  socket.once('close', () => {
    clearTimeout(timer);
    void conversation?.then(
      (begun) => begun.end(),
      () => undefined,
    );
    resolve();
  });
  return closed;
}

async function converse(
  socket: Socket,
  host: EditorHost<NreplServedSession>,
  options: NreplOptions,
): Promise<NreplConversation> {
  const session = await host.get();
  const side = await session.connect();
  const send = (message: BencodeDictionary): void => write(socket, message);
  void side.ended.then(() => socket.end());
  return new NreplConversation(side, send, session.notes, options);
}

/** @throws Error if it is no request */
function requestIn(value: BencodeValue): Request {
  if (typeof value === 'object' && !Array.isArray(value) && typeof value.op === 'string')
    return { ...value, op: value.op };
  throw new Error('sent a message without an op');
}

/** Maximum bytes for an editor that does not read them. It is then disconnected. */
const MOST_UNREAD = 64 * 1024 * 1024;

function write(socket: Socket, message: BencodeDictionary): void {
  if (socket.writableLength > MOST_UNREAD) socket.destroy();
  else if (socket.writable) socket.write(encode(message));
}

const REFUSED = 'lisp-harbor/refused';

/** An nREPL session of this connection. */
interface EditorSession {
  /** Its evaluations without an outcome, by the id of their requests. */
  readonly running: Map<string, Evaluating>;
  /** Its namespace, as of the last reply. */
  namespace: string;
}

/** The namespace of a new session of Clojure. */
const FIRST_NAMESPACE = 'user';

class NreplConversation {
  readonly #side: NreplSide;
  readonly #send: (message: BencodeDictionary) => void;
  readonly #options: NreplOptions;
  readonly #sessions = new Map<string, EditorSession>();
  readonly #input = new EditorInput();
  readonly #reported = new Set<string>();
  readonly #shownNotes = new Set<string>();
  #firstNotes: readonly Note[];
  /** The session of requests that name none. */
  #implicit: Promise<string | null> | null = null;
  #ops: ReadonlySet<string> | null = null;
  #client: string = NREPL_EDITOR;
  #count = 0;

  /** @param notes the notes about the image, which the first evaluation shows */
  constructor(
    side: NreplSide,
    send: (message: BencodeDictionary) => void,
    notes: readonly Note[],
    options: NreplOptions,
  ) {
    this.#side = side;
    this.#send = send;
    this.#options = options;
    this.#firstNotes = notes;
  }

  /** Answers a request, or begins to. */
  async serve(request: Request): Promise<void> {
    const { op } = request;
    const named = textOf(request, 'session');
    if (named !== undefined && !this.#sessions.has(named)) return this.#fail(request, 'unknown-session');
    if (STOPPED.has(op)) return this.#stop(request);
    if (op === 'clone') return this.#clone(request);
    if (op === 'close') return this.#close(request);
    if (op === 'describe') return this.#describe(request);
    if (op === 'ls-sessions') return this.#finish(request, { sessions: [...this.#sessions.keys()] });
    if (op === 'interrupt') return void this.#interrupt(request);
    if (op === 'eval' || op === 'load-file' || EVALUATES.has(unqualified(op))) return this.#evaluate(request);
    const refusal = NEVER_EVALUATES.has(unqualified(op)) ? null : this.#options.refusal(this.#client);
    if (refusal !== null) return this.#fail(request, REFUSED, refusal);
    if (op === 'stdin' && !this.#side.server) {
      this.#input.provide(textOf(request, 'stdin') ?? '');
      return this.#finish(request);
    }
    if (await this.#isRelayed(op)) return this.#relay(request);
    // Later requests, such as an interrupt, do not wait for it.
    void this.#answer(request);
  }

  /** The connection is closed. What runs continues; what is queued does not begin. */
  end(): void {
    this.#input.end();
    const pending = [...this.#sessions.values()].flatMap(({ running }) => [...running.values()]);
    for (const evaluation of pending) evaluation.withdraw();
    void Promise.all(pending.map(({ settled }) => settled)).then(() => {
      for (const session of this.#sessions.keys())
        void this.#side.server?.send(silent({ op: 'close', session }));
      this.#side.end();
    });
  }

  async #clone(request: Request): Promise<void> {
    const name = textOf(request, 'client-name');
    if (name !== undefined) this.#client = editorNamed(name);
    const id = await this.#newSession(request);
    if (id === null) return this.#fail(request, 'unknown-op');
    this.#finish(request, { 'new-session': id });
  }

  /** Returns null if the image's server gives none. */
  async #newSession(request: BencodeDictionary = {}): Promise<string | null> {
    const { server } = this.#side;
    let id: string | undefined = server ? undefined : randomUUID();
    await server?.send({
      message: { ...request, op: 'clone' },
      receive: (message) => {
        id = textOf(message, 'new-session') ?? id;
      },
    });
    if (id === undefined) return null;
    const parent = this.#sessions.get(textOf(request, 'session') ?? '');
    this.#sessions.set(id, { running: new Map(), namespace: parent?.namespace ?? FIRST_NAMESPACE });
    return id;
  }

  async #close(request: Request): Promise<void> {
    const id = textOf(request, 'session') ?? '';
    const session = this.#sessions.get(id);
    if (!session) return this.#fail(request, 'unknown-session');
    const running = [...session.running.values()];
    this.#sessions.delete(id);
    const stopped = Promise.all(running.map((evaluation) => evaluation.cancel()));
    void stopped.then(() => this.#side.server?.send(silent({ op: 'close', session: id })));
    this.#finish(request, { status: ['done', 'session-closed'] });
  }

  async #describe(request: Request): Promise<void> {
    const { server, engine } = this.#side;
    let described: BencodeDictionary = {};
    await server?.send({
      message: request,
      receive: (message) => {
        described = { ...described, ...message };
      },
    });
    const { ops, versions, aux } = described;
    const names = server ? [...Object.keys(dictionary(ops)), ...OWN_OPS] : ALL_OPS;
    this.#finish(request, {
      ops: Object.fromEntries(
        names.filter((name) => !STOPPED.has(name)).map((name) => [name, dictionary(ops)[name] ?? {}]),
      ),
      versions: {
        ...dictionary(versions),
        'lisp-harbor': { 'version-string': VERSION, engine },
      },
      aux: dictionary(aux),
    });
  }

  async #interrupt(request: Request): Promise<void> {
    const session = this.#sessions.get(textOf(request, 'session') ?? (await this.#implicit) ?? '');
    const named = textOf(request, 'interrupt-id');
    const [running] = session?.running.keys() ?? [];
    if (!session || running === undefined) return this.#finish(request, { status: ['done', 'session-idle'] });
    const evaluation = session.running.get(named ?? running);
    if (!evaluation) return this.#fail(request, 'interrupt-id-mismatch');
    await evaluation.cancel();
    this.#finish(request);
  }

  async #evaluate(request: Request): Promise<void> {
    const isUsual = request.op === 'eval' || request.op === 'load-file';
    if (!isUsual && !(await this.#isRelayed(request.op))) return this.#fail(request, 'unknown-op');
    const code = codeIn(request);
    if (code === undefined) return this.#fail(request, 'no-code');
    const named = textOf(request, 'session');
    if (named === undefined) this.#implicit ??= this.#newSession();
    const id = named ?? (await this.#implicit) ?? '';
    const session = this.#sessions.get(id);
    if (!session) return this.#fail(request, 'unknown-session');
    if (session.running.size >= MOST_EVALUATIONS)
      return this.#fail(
        request,
        REFUSED,
        'Too many evaluations were sent without waiting for their results.',
      );
    this.#count += 1;
    const key = textOf(request, 'id') ?? `without an id ${this.#count}`;
    const reply = new EvaluationReply({ ...request, session: id }, session, this.#send);
    const evaluation = this.#side.evaluate({
      client: this.#client,
      code,
      ...(this.#side.server ? this.#relayed(request, id, reply, session) : this.#plain(request, reply)),
    });
    session.running.set(key, evaluation);
    void evaluation.settled.then((row) => {
      session.running.delete(key);
      reply.settle(row, this.#notesFor(row), this.#side.server === null);
    });
  }

  /** The image's server evaluates. */
  #relayed(request: Request, id: string, reply: EvaluationReply, { namespace }: EditorSession) {
    const receive = (message: BencodeDictionary): void => {
      const passed = this.#passed(message);
      if (passed) reply.pass(passed);
    };
    return {
      relayed: { message: { ...request, session: id }, receive },
      package: textOf(request, 'ns') ?? namespace,
    };
  }

  /** The session evaluates. A file does not change the current package. */
  #plain(request: Request, reply: EvaluationReply) {
    const named = textOf(request, 'ns') ?? (request.op === 'load-file' ? this.#side.package : undefined);
    return {
      ...(named === undefined ? {} : { package: named }),
      input: () => this.#input.line(() => reply.needInput()),
      output: (stream: Stream, text: string) => reply.output(stream, text),
    };
  }

  /** Passes a request that evaluates nothing to the image's server. */
  #relay(request: Request): void {
    const receive = (message: BencodeDictionary): void => {
      const passed = this.#passed(message);
      const { id: _serversOwn, ...rest } = passed ?? {};
      if (passed) this.#send({ ...rest, ...(request.id === undefined ? {} : { id: request.id }) });
    };
    void this.#side.server?.send({ message: request, receive });
  }

  /** Answers from what the session knows. */
  async #answer(request: Request): Promise<void> {
    const answer = await knownAnswer(request, this.#side);
    if (typeof answer === 'string') this.#fail(request, answer);
    else this.#finish(request, answer);
  }

  /** Returns what of a message of the image's server may reach the editor; null for nothing. */
  #passed(message: BencodeDictionary): BencodeDictionary | null {
    if (!statusOf(message).includes(SIDELOADER_LOOKUP)) return message;
    this.#report(SIDELOADER_LOOKUP, 'Code in the image requested a file of yours through the sideloader.');
    return null;
  }

  #stop(request: Request): void {
    const why =
      'The sideloader would let code in the image read files through your editor, so this port does not pass it on.';
    this.#report(request.op, why);
    this.#fail(request, REFUSED, why);
  }

  #report(kind: string, text: string): void {
    if (this.#reported.has(kind)) return;
    this.#reported.add(kind);
    this.#options.log.warn(`nREPL port: ${kind} was stopped. ${text}`);
    this.#send({ err: `; Lisp Harbor: ${text}\n` });
  }

  /** Returns the notes of a row that this connection has not shown. */
  #notesFor(row: Evaluation): string[] {
    const texts = noteTexts([...this.#firstNotes, ...row.notes.filter((each) => !isOfSandbox(each))]);
    this.#firstNotes = [];
    const fresh = texts.filter((text) => !this.#shownNotes.has(text));
    for (const text of fresh) this.#shownNotes.add(text);
    return fresh;
  }

  /** Reports whether the image has a server with this op. */
  async #isRelayed(op: string): Promise<boolean> {
    const { server } = this.#side;
    if (!server) return false;
    this.#ops ??= await this.#serverOps(server);
    return this.#ops.has(op);
  }

  async #serverOps(server: NonNullable<NreplSide['server']>): Promise<ReadonlySet<string>> {
    let ops: BencodeValue | undefined;
    const receive = (message: BencodeDictionary): void => {
      ops = message.ops ?? ops;
    };
    await server.send({ message: { op: 'describe' }, receive });
    return new Set(Object.keys(dictionary(ops)));
  }

  #finish(request: Request, answer: BencodeDictionary = {}): void {
    this.#send(answerTo(request, { status: ['done'], ...answer }));
  }

  #fail(request: Request, word: string, text?: string): void {
    if (text !== undefined) this.#send(answerTo(request, { err: `${text}\n` }));
    this.#send(answerTo(request, { status: ['done', 'error', word] }));
  }
}

function silent(message: Request): Relayed {
  return { message, receive: () => undefined };
}
