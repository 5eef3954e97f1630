/** An editor’s side of `lisp-harbor lsp`, with the protocol’s own client library. */

import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  createProtocolConnection,
  type Diagnostic,
  type InitializeResult,
  type Position,
  type ProtocolConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver-protocol/node';
import { startCommand } from './command-line';

interface Opened {
  data: string;
  project: string;
  /** The name that the editor gives itself. */
  name?: string;
  args?: readonly string[];
}

export class LanguageClient {
  readonly connection: ProtocolConnection;
  readonly project: string;
  readonly messages: string[] = [];
  readonly log: string[] = [];
  readonly #ended: Promise<unknown>;
  readonly #texts = new Map<string, { version: number; text: string }>();
  readonly #diagnostics = new Map<string, readonly Diagnostic[]>();
  readonly #watchers = new Set<() => void>();
  initialized: InitializeResult | undefined;

  static async open({ data, project, name = 'Test Editor', args = [] }: Opened): Promise<LanguageClient> {
    const child = startCommand(['lsp', '--data', data, ...args], { cwd: project });
    child.stderr.on('data', (chunk: Buffer) => process.stderr.write(chunk));
    const client = new LanguageClient(child, project);
    client.initialized = await client.connection.sendRequest('initialize', {
      processId: process.pid,
      clientInfo: { name },
      rootUri: pathToFileURL(project).href,
      capabilities: { window: { workDoneProgress: true } },
    });
    await client.connection.sendNotification('initialized', {});
    return client;
  }

  private constructor(child: ReturnType<typeof startCommand>, project: string) {
    this.#ended = new Promise((resolve) => child.once('exit', resolve));
    this.project = project;
    this.connection = createProtocolConnection(
      new StreamMessageReader(child.stdout),
      new StreamMessageWriter(child.stdin),
    );
    this.connection.onNotification('textDocument/publishDiagnostics', ({ uri, diagnostics }) => {
      this.#diagnostics.set(uri, diagnostics);
      this.#changed();
    });
    this.connection.onNotification('window/showMessage', ({ message }) => {
      this.messages.push(message);
      this.#changed();
    });
    this.connection.onNotification('window/logMessage', ({ message }) => {
      this.log.push(message);
      this.#changed();
    });
    this.connection.onRequest('window/workDoneProgress/create', () => null);
    this.connection.listen();
  }

  uri(file: string): string {
    return pathToFileURL(path.join(this.project, file)).href;
  }

  /** Opens a file with this text, which is saved unless `saved` says another. */
  async edit(file: string, text: string, saved: string | null = text): Promise<void> {
    if (saved !== null) writeFileSync(path.join(this.project, file), saved);
    const uri = this.uri(file);
    const known = this.#texts.get(uri);
    const version = (known?.version ?? 0) + 1;
    if (known) {
      const end = endOf(known.text);
      const contentChanges = [{ range: { start: { line: 0, character: 0 }, end }, text }];
      await this.connection.sendNotification('textDocument/didChange', {
        textDocument: { uri, version },
        contentChanges,
      });
    } else {
      const textDocument = { uri, languageId: 'lisp', version, text };
      await this.connection.sendNotification('textDocument/didOpen', { textDocument });
    }
    this.#texts.set(uri, { version, text });
  }

  /** The answer to a request at the place of `|` in a piece of the file’s text, such as `(pr|ice`. */
  at<T>(method: string, file: string, mark: string, more: object = {}): Promise<T> {
    const params = { textDocument: { uri: this.uri(file) }, position: this.position(file, mark), ...more };
    return this.connection.sendRequest(method, params);
  }

  in<T>(method: string, file: string, more: object = {}): Promise<T> {
    return this.connection.sendRequest(method, { textDocument: { uri: this.uri(file) }, ...more });
  }

  command<T>(command: string, ...args: unknown[]): Promise<T> {
    return this.connection.sendRequest('workspace/executeCommand', { command, arguments: args });
  }

  position(file: string, mark: string): Position {
    const { text } = this.#texts.get(this.uri(file)) ?? { text: '' };
    const found = text.indexOf(mark.replace('|', ''));
    if (found < 0) throw new Error(`${file} has no ${mark}`);
    const before = text.slice(0, found + mark.indexOf('|'));
    return endOf(before);
  }

  /** Waits for diagnostics of a file that satisfy the condition. */
  diagnostics(
    file: string,
    isMet: (diagnostics: readonly Diagnostic[]) => boolean,
  ): Promise<readonly Diagnostic[]> {
    const found = () => {
      const own = this.#diagnostics.get(this.uri(file));
      return own && isMet(own) ? own : undefined;
    };
    return this.#until(found);
  }

  /** Waits for a message or a line of the log. */
  said(pattern: RegExp): Promise<string> {
    return this.#until(() => [...this.messages, ...this.log].find((each) => pattern.test(each)));
  }

  async close(): Promise<void> {
    await this.connection.sendRequest('shutdown');
    await this.connection.sendNotification('exit');
    await this.#ended;
    this.connection.dispose();
  }

  /** Waits until there is a value. Rejects if the server ends. */
  #until<T>(found: () => T | undefined): Promise<T> {
    return new Promise((resolve, reject) => {
      void this.#ended.then(() => reject(new Error('the server has ended')));
      const look = () => {
        const value = found();
        if (value === undefined) return;
        this.#watchers.delete(look);
        resolve(value);
      };
      this.#watchers.add(look);
      look();
    });
  }

  #changed(): void {
    for (const look of this.#watchers) look();
  }
}

function endOf(text: string): Position {
  const lines = text.split('\n');
  return { line: lines.length - 1, character: lines.at(-1)?.length ?? 0 };
}
