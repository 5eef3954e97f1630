/**
 * A Jupyter kernel on a session of the harbor: `lisp-harbor kernel --engine E CONNECTION_FILE`. Cells run one after
 * another under the client `jupyter`; completion, inspection and interrupts are answered meanwhile.
 */
import path from 'node:path';
import { asFailure } from '../../contract/errors';
import type { ToolAnswer } from '../../contract/local-socket';
import type { EngineName } from '../../contract/model';
import type { DataFolder } from '../../host/data-folder';
import type { ReachOptions } from '../../host/harbor-reach';
import { every } from '../../host/listeners';
import { VERSION } from '../../host/paths';
import { type Dialect, dialectOf, extensionOf } from '../../source/dialect';
import { completeness, read } from '../../source/reader';
import { isBranch, walk } from '../../source/syntax-tree';
import { characters, unitAt } from '../../source/text';
import { HarborLink, isSessionLost, JUPYTER_KEY } from '../harbor-link';
import { type ConnectionFile, type Header, type Message, MessageCodec } from './jupyter-messages';
import { type Received, ZmtpServer } from './zmtp';

export interface KernelOptions {
  folder: DataFolder;
  reach: ReachOptions;
  connection: ConnectionFile;
  engine: EngineName;
  project: string;
  /** Name of the session, for the user. */
  name: string;
}

const MOST_COMPLETIONS = 100;
const PARENT_CHECK_MS = 5_000;

/** Serves until Jupyter requests the end, or its process has ended. */
export async function serveKernel(options: KernelOptions): Promise<void> {
  const kernel = new Kernel(options);
  await kernel.serve();
}

/** Handles a request and returns the content of its reply, without `status`. */
type Handler = (message: Message) => Promise<Record<string, unknown>>;

class Kernel {
  readonly #options: KernelOptions;
  readonly #codec: MessageCodec;
  readonly #link: HarborLink;
  readonly #dialect: Dialect;
  readonly #shell = new ZmtpServer('ROUTER', (received) => this.#receive(received, this.#shell));
  readonly #control = new ZmtpServer('ROUTER', (received) => this.#receive(received, this.#control));
  readonly #stdin = new ZmtpServer('ROUTER', (received) => this.#receiveInput(received));
  readonly #iopub = new ZmtpServer('PUB');
  readonly #heartbeat: ZmtpServer = new ZmtpServer('REP', ({ peer, frames }) =>
    this.#heartbeat.send(peer, frames),
  );
  readonly #ended = Promise.withResolvers<void>();
  readonly #handlers: Readonly<Record<string, Handler>>;
  /** The cell that runs, after those before it. */
  #queue: Promise<unknown> = Promise.resolve();
  #running: AbortController | null = null;
  /** Counts failures, so that cells that were queued before one are not run. */
  #failures = 0;
  #count = 0;
  #session: Promise<string> | null = null;
  #input: ((line: string | null) => void) | null = null;

  constructor(options: KernelOptions) {
    const { folder, reach, project, engine, connection } = options;
    this.#options = options;
    this.#codec = new MessageCodec(connection.key);
    this.#dialect = dialectOf(engine);
    const hello = { client: JUPYTER_KEY, project, engine };
    this.#link = new HarborLink({ folder, reach, hello, onEnded: () => undefined });
    this.#handlers = {
      kernel_info_request: async () => this.#information(),
      complete_request: (message) => this.#complete(message),
      inspect_request: (message) => this.#inspect(message),
      is_complete_request: async ({ content }) => this.#isComplete(String(content.code ?? '')),
      history_request: async () => ({ history: [] }),
      comm_info_request: async () => ({ comms: {} }),
      interrupt_request: async () => this.#interrupt(),
      shutdown_request: (message) => this.#shutDown(message),
    };
  }

  async serve(): Promise<void> {
    const { shell_port, control_port, stdin_port, iopub_port, hb_port } = this.#options.connection;
    await Promise.all([
      this.#shell.listen(this.#address(shell_port)),
      this.#control.listen(this.#address(control_port)),
      this.#stdin.listen(this.#address(stdin_port)),
      this.#iopub.listen(this.#address(iopub_port)),
      this.#heartbeat.listen(this.#address(hb_port)),
    ]);
    const parent = process.ppid;
    const endCheck = every(PARENT_CHECK_MS, () => {
      if (process.ppid !== parent) void this.#end();
    });
    process.on('SIGINT', () => this.#interrupt());
    process.on('SIGTERM', () => void this.#end());
    await this.#ended.promise;
    endCheck();
    const all = [this.#shell, this.#control, this.#stdin, this.#iopub, this.#heartbeat];
    await Promise.all(all.map((each) => each.close()));
  }

  #address(port: number): { host: string; port: number } | { path: string } {
    const { transport, ip } = this.#options.connection;
    return transport === 'ipc' ? { path: `${ip}-${port}` } : { host: ip, port };
  }

  #receive({ peer, frames }: Received, socket: ZmtpServer): void {
    const message = this.#codec.read(frames);
    if (message === null) return;
    const { msg_type: type } = message.header;
    if (type === 'execute_request') {
      const before = this.#failures;
      this.#queue = this.#queue.then(() => this.#execute(peer, message, before));
      return;
    }
    const handler = this.#handlers[type];
    if (handler) void this.#answer(peer, message, socket, handler);
  }

  async #answer(peer: Buffer, message: Message, socket: ZmtpServer, handler: Handler): Promise<void> {
    const { header, identities } = message;
    this.#status('busy', header);
    const content = await handler(message).then(
      (answer) => ({ status: 'ok', ...answer }),
      (error: unknown) => ({ status: 'error', ...errorContent(error) }),
    );
    const type = header.msg_type.replace(/_request$/, '_reply');
    socket.send(peer, this.#codec.write(type, content, header, identities));
    this.#status('idle', header);
    if (type === 'shutdown_reply') this.#ended.resolve();
  }

  // Execution of cells.

  async #execute(peer: Buffer, { header, identities, content }: Message, failures: number): Promise<void> {
    const { code = '', silent = false, allow_stdin: allowsInput = false } = content as ExecuteContent;
    const stopsOnError = content.stop_on_error !== false;
    const reply = (answer: object) =>
      this.#shell.send(peer, this.#codec.write('execute_reply', answer, header, identities));
    this.#status('busy', header);
    if (failures !== this.#failures) {
      reply({ status: 'aborted', execution_count: this.#count });
    } else if (code.trim() === '') {
      reply({ status: 'ok', execution_count: this.#count, user_expressions: {}, payload: [] });
    } else {
      if (!silent) this.#count += 1;
      const count = this.#count;
      if (!silent) this.#publish('execute_input', { code, execution_count: count }, header);
      const failure = await this.#run(code, { peer, header, identities, silent, count, allowsInput });
      if (failure && stopsOnError) this.#failures += 1;
      if (failure) reply({ status: 'error', execution_count: count, ...failure });
      else reply({ status: 'ok', execution_count: count, user_expressions: {}, payload: [] });
    }
    this.#status('idle', header);
  }

  /** Returns the error; null if the cell succeeded. */
  async #run(code: string, cell: Cell): Promise<ErrorContent | null> {
    const { header, silent } = cell;
    const stop = new AbortController();
    this.#running = stop;
    const show = (text: string, name: string) => {
      if (!silent) this.#publish('stream', { name, text }, header);
    };
    try {
      const session = await this.#opened();
      const answer = await this.#link.call(
        'eval',
        { code, session, on_error: 'report' },
        {
          ...{ show, signal: stop.signal },
          ...(cell.allowsInput ? { read: () => this.#read(cell) } : {}),
        },
      );
      const warnings = warningText(answer.data);
      if (warnings !== '') show(warnings, 'stderr');
      const failure = failureIn(answer.data);
      if (failure && !silent) this.#publish('error', failure, header);
      if (!failure && !silent) this.#showValues(answer.data, cell);
      return failure;
    } catch (error) {
      if (isSessionLost(error)) this.#session = null;
      const failure = errorContent(error);
      if (!silent) this.#publish('error', failure, header);
      return failure;
    } finally {
      this.#running = null;
      this.#input = null;
    }
  }

  #showValues(data: ToolAnswer['data'], { header, count }: Cell): void {
    const forms = (data.forms ?? []) as { values: string[] }[];
    const values = forms.at(-1)?.values ?? [];
    if (values.length === 0) return;
    const result = { 'text/plain': values.join('\n') };
    this.#publish('execute_result', { execution_count: count, data: result, metadata: {} }, header);
  }

  /** Requests a line of input from the notebook. */
  #read({ peer, header, identities }: Cell): Promise<string | null> {
    const request = this.#codec.write('input_request', { prompt: '', password: false }, header, identities);
    this.#stdin.send(peer, request);
    return new Promise((resolve) => {
      this.#input = resolve;
    });
  }

  #receiveInput({ frames }: Received): void {
    const message = this.#codec.read(frames);
    if (message?.header.msg_type !== 'input_reply') return;
    this.#input?.(String(message.content.value ?? ''));
    this.#input = null;
  }

  #interrupt(): Record<string, unknown> {
    this.#running?.abort();
    return {};
  }

  // Questions about code.

  #information(): Record<string, unknown> {
    const { engine } = this.#options;
    const isClojure = this.#dialect === 'clojure';
    return {
      protocol_version: '5.3',
      ...{ implementation: 'lisp-harbor', implementation_version: VERSION },
      language_info: {
        name: isClojure ? 'clojure' : 'common-lisp',
        version: engine,
        mimetype: isClojure ? 'text/x-clojure' : 'text/x-common-lisp',
        file_extension: `.${extensionOf(engine)}`,
        pygments_lexer: isClojure ? 'clojure' : 'common-lisp',
        codemirror_mode: isClojure ? 'clojure' : 'commonlisp',
      },
      banner: `${engine} in Lisp Harbor ${VERSION}`,
      help_links: [],
    };
  }

  async #complete({ content }: Message): Promise<Record<string, unknown>> {
    const { code, offset } = placeIn(content);
    const { start, text } = tokenAt(code, offset, this.#dialect);
    const prefix = text.slice(0, offset - start);
    const none = {
      matches: [],
      cursor_start: content.cursor_pos,
      cursor_end: content.cursor_pos,
      metadata: {},
    };
    if (prefix === '' || this.#session === null) return none;
    const session = await this.#session;
    const { data } = await this.#link.call('find', {
      ...{ kind: 'completion', query: prefix, session, limit: MOST_COMPLETIONS },
    });
    const matches = (data.results as { text: string }[]).map((each) => each.text);
    return { ...none, matches, cursor_start: characters(code.slice(0, start)) };
  }

  async #inspect({ content }: Message): Promise<Record<string, unknown>> {
    const { code, offset } = placeIn(content);
    const { text: symbol } = tokenAt(code, offset, this.#dialect);
    const none = { found: false, data: {}, metadata: {} };
    if (symbol === '' || this.#session === null) return none;
    const session = await this.#session;
    try {
      const { text } = await this.#link.call('describe', { symbol, session });
      return { found: true, data: { 'text/plain': text }, metadata: {} };
    } catch (error) {
      if (asFailure(error).code === 'unknown_symbol') return none;
      throw error;
    }
  }

  #isComplete(code: string): Record<string, unknown> {
    const isIncomplete = completeness(code, this.#dialect) === 'incomplete';
    return isIncomplete ? { status: 'incomplete', indent: '  ' } : { status: 'complete' };
  }

  // Beginning and end.

  /** Opens the session at the first cell. */
  #opened(): Promise<string> {
    const { engine, name } = this.#options;
    this.#session ??= this.#link
      .call('open_session', { engine, name })
      .then(({ data }) => String(data.session))
      .catch((error: unknown) => {
        this.#session = null;
        throw error;
      });
    return this.#session;
  }

  async #shutDown({ content }: Message): Promise<Record<string, unknown>> {
    await this.#closeSession();
    return { restart: content.restart === true };
  }

  async #end(): Promise<void> {
    await this.#closeSession();
    this.#ended.resolve();
  }

  async #closeSession(): Promise<void> {
    this.#running?.abort();
    const session = await this.#session?.catch(() => null);
    if (session) await this.#link.call('close_session', { session }).catch(() => undefined);
    this.#link.close();
  }

  #publish(type: string, content: object, parent: Header): void {
    this.#iopub.publish(this.#codec.write(type, content, parent, [`kernel.${type}`]));
  }

  #status(state: 'busy' | 'idle', parent: Header): void {
    this.#publish('status', { execution_state: state }, parent);
  }
}

interface ExecuteContent {
  code?: string;
  silent?: boolean;
  allow_stdin?: boolean;
}

/** A cell that runs. */
interface Cell {
  peer: Buffer;
  header: Header;
  identities: Buffer[];
  silent: boolean;
  count: number;
  allowsInput: boolean;
}

interface ErrorContent {
  ename: string;
  evalue: string;
  traceback: string[];
}

function errorContent(error: unknown): ErrorContent {
  const { code, message } = asFailure(error);
  return { ename: code, evalue: message, traceback: [message] };
}

interface Condition {
  type: string;
  message: string;
  frames?: { index: number; call: string }[];
}

function failureIn(data: ToolAnswer['data']): ErrorContent | null {
  const { outcome, condition } = data as { outcome: string; condition?: Condition };
  if (outcome === 'ok') return null;
  const notes = ((data.notes ?? []) as string[]).join('\n');
  if (!condition) return { ename: outcome, evalue: notes, traceback: [`${outcome}: ${notes}`] };
  const { type, message, frames = [] } = condition;
  return {
    ...{ ename: type, evalue: message },
    traceback: [`${type}: ${message}`, ...frames.map(({ index, call }) => `${index}: ${call}`)],
  };
}

function warningText({ warnings = [] }: ToolAnswer['data']): string {
  const all = warnings as { severity: string; message: string; context?: string }[];
  return all
    .map(({ severity, message, context }) => `; ${severity}${context ? ` in ${context}` : ''}: ${message}\n`)
    .join('');
}

/** Positions of the protocol count characters. */
function placeIn({ code, cursor_pos: cursor }: Message['content']): { code: string; offset: number } {
  const text = String(code ?? '');
  return { code: text, offset: unitAt(text, Number(cursor ?? 0)) };
}

/** Returns the symbol that begins before an offset and reaches to it or beyond. */
function tokenAt(code: string, offset: number, dialect: Dialect): { start: number; text: string } {
  for (const { node } of walk(read(code, dialect).tree))
    if (!isBranch(node) && node.kind === 'token' && node.start < offset && offset <= node.end)
      return { start: node.start, text: code.slice(node.start, node.end) };
  return { start: offset, text: '' };
}

/** Returns the name of the session: that of the notebook, if Jupyter gives it. */
export function sessionName({ JPY_SESSION_NAME: notebook }: NodeJS.ProcessEnv, engine: EngineName): string {
  const name = path
    .basename(notebook ?? '', '.ipynb')
    .replace(/[^\p{L}\p{N}._ -]+/gu, ' ')
    .trim();
  return name === '' ? `notebook ${engine} ${process.pid}` : name.slice(0, 70);
}
