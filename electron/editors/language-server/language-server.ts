/** The language server: requests and notifications of an editor over stdin and stdout. */
import { realpathSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type CancellationToken,
  CodeActionKind,
  type Connection,
  createConnection,
  type Diagnostic,
  DiagnosticSeverity,
  ErrorCodes,
  type InitializeParams,
  type InitializeResult,
  MessageType,
  type Position,
  ProposedFeatures,
  type Range,
  ResponseError,
  ShowMessageNotification,
  TextDocumentSyncKind,
  TextDocuments,
  type TextEdit,
} from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { asFailure } from '../../contract/errors';
import { refuseReservedKey } from '../../contract/known-clients';
import type { EndedEvaluation, ToolAnswer } from '../../contract/local-socket';
import { EngineName } from '../../contract/model';
import type { DataFolder } from '../../host/data-folder';
import type { ReachOptions } from '../../host/harbor-reach';
import { onAbort } from '../../host/listeners';
import { VERSION } from '../../host/paths';
import { diagnosisOf, diagnosisText, problemOffset } from '../../source/diagnosis';
import { mendSource } from '../../source/mend/mended';
import { stringRead } from '../../source/s-expression';
import { HarborLink } from '../harbor-link';
import { LispText } from '../lisp-text';
import { CompilerNotes } from './compiler-notes';
import { ImageSession, type Wanted } from './image-session';
import { Names } from './names';
import { ProjectFiles } from './project-files';
import {
  COMMANDS,
  codeLenses,
  documentSymbols,
  foldingRanges,
  formattingEdits,
  lineEdits,
  selectionRange,
  semanticTokens,
  TOKEN_MODIFIERS,
  TOKEN_TYPES,
} from './structure';

export interface LanguageServerOptions {
  folder: DataFolder;
  reach: ReachOptions;
  /** The project; absent: the folder that the editor opened. */
  project?: string;
  session?: string;
  engine?: EngineName;
  stdin: NodeJS.ReadableStream;
  stdout: NodeJS.WritableStream;
}

/** Pause after a change until its diagnostics are computed, in milliseconds. */
const PAUSE_MS = 150;
/** Larger texts are not compared with their indentation at each change. */
const LARGEST_MENDED = 300_000;

/** Serves until the editor ends the process or closes stdin. */
export function serveLanguage(options: LanguageServerOptions): void {
  const connection = createConnection(ProposedFeatures.all, options.stdin, options.stdout);
  const server = new LanguageServer(connection, options);
  connection.onInitialize((parameters) => server.initialize(parameters));
  server.listen();
  connection.listen();
}

/** The services for the folder that the editor opened. */
interface Project {
  folder: string;
  link: HarborLink;
  files: ProjectFiles;
  session: ImageSession;
  names: Names;
  canShowProgress: boolean;
}

class LanguageServer {
  readonly #connection: Connection;
  readonly #options: LanguageServerOptions;
  readonly #documents = new TextDocuments(TextDocument);
  readonly #notes = new CompilerNotes();
  readonly #pauses = new Map<string, NodeJS.Timeout>();
  readonly #running = new Set<AbortController>();
  readonly #closing = new AbortController();
  #project: Project | null = null;

  constructor(connection: Connection, options: LanguageServerOptions) {
    this.#connection = connection;
    this.#options = options;
  }

  initialize(parameters: InitializeParams): InitializeResult {
    this.#project = this.#open(parameters);
    return {
      serverInfo: { name: 'lisp-harbor', version: VERSION },
      capabilities: {
        textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental, save: true },
        definitionProvider: true,
        referencesProvider: true,
        documentHighlightProvider: true,
        hoverProvider: true,
        signatureHelpProvider: { triggerCharacters: [' ', '('] },
        completionProvider: { triggerCharacters: [':', '/', '-', '*'] },
        documentSymbolProvider: true,
        workspaceSymbolProvider: true,
        renameProvider: { prepareProvider: true },
        documentFormattingProvider: true,
        semanticTokensProvider: {
          legend: { tokenTypes: [...TOKEN_TYPES], tokenModifiers: [...TOKEN_MODIFIERS] },
          full: true,
        },
        foldingRangeProvider: true,
        selectionRangeProvider: true,
        codeActionProvider: { codeActionKinds: [CodeActionKind.QuickFix] },
        codeLensProvider: {},
        executeCommandProvider: { commands: Object.values(COMMANDS) },
      },
    };
  }

  listen(): void {
    const connection = this.#connection;
    const documents = this.#documents;
    documents.listen(connection);
    documents.onDidChangeContent(({ document }) => this.#diagnoseSoon(document));
    documents.onDidClose(({ document }) => {
      clearTimeout(this.#pauses.get(document.uri));
      this.#pauses.delete(document.uri);
      void connection.sendDiagnostics({ uri: document.uri, diagnostics: [] });
    });
    connection.onInitialized(() => void this.#join());
    connection.onShutdown(() => {
      this.#closing.abort();
      for (const running of this.#running) running.abort();
      this.#project?.link.close();
    });
    this.#listenForNames();
    this.#listenForStructure();
    connection.onExecuteCommand(async ({ command, arguments: args = [] }, token) => {
      if (command === COMMANDS.interrupt) return this.#interrupt();
      const text = this.#text(String(args[0]));
      if (text && command === COMMANDS.load) return this.#load(text, token);
      if (text && command === COMMANDS.evaluate) return this.#evaluate(text, args[1], token);
      throw new ResponseError(ErrorCodes.InvalidParams, 'The file is not open, or is no Lisp.');
    });
  }

  #listenForNames(): void {
    const connection = this.#connection;
    connection.onDefinition(({ textDocument, position }) =>
      this.#at(textDocument.uri, position, (names, text, offset) => names.definitions(text, offset)),
    );
    connection.onReferences(({ textDocument, position, context }) =>
      this.#at(textDocument.uri, position, (names, text, offset) =>
        names.references(text, offset, context.includeDeclaration),
      ),
    );
    connection.onDocumentHighlight(({ textDocument, position }) =>
      this.#at(textDocument.uri, position, (names, text, offset) => names.highlights(text, offset)),
    );
    connection.onHover(({ textDocument, position }) =>
      this.#at(textDocument.uri, position, (names, text, offset) => names.hover(text, offset)),
    );
    connection.onSignatureHelp(({ textDocument, position }) =>
      this.#at(textDocument.uri, position, (names, text, offset) => names.signatureHelp(text, offset)),
    );
    connection.onCompletion(({ textDocument, position }) =>
      this.#at(textDocument.uri, position, (names, text, offset) => names.completions(text, offset)),
    );
    connection.onWorkspaceSymbol(({ query }) => this.#project?.names.workspaceSymbols(query) ?? []);
    connection.onPrepareRename(({ textDocument, position }) =>
      this.#at(textDocument.uri, position, (_names, text, offset) => {
        const name = text.nameAt(offset);
        return name && { range: text.range(name), placeholder: name.written };
      }),
    );
    connection.onRenameRequest(({ textDocument, position, newName }) =>
      this.#at(textDocument.uri, position, async (names, text, offset) => {
        const renamed = await names.rename(text, offset, newName).catch((error: unknown) => {
          throw new ResponseError(ErrorCodes.InvalidRequest, asFailure(error).message);
        });
        for (const { text: note } of renamed?.notes ?? []) this.#show(note, MessageType.Info);
        return renamed?.edit ?? null;
      }),
    );
  }

  #listenForStructure(): void {
    const connection = this.#connection;
    const answer = <T>(uri: string, none: T, of: (text: LispText) => T): T => {
      const text = this.#text(uri);
      return text ? of(text) : none;
    };
    connection.onDocumentSymbol(({ textDocument }) => answer(textDocument.uri, [], documentSymbols));
    connection.onFoldingRanges(({ textDocument }) => answer(textDocument.uri, [], foldingRanges));
    connection.onSelectionRanges(({ textDocument, positions }) =>
      answer(textDocument.uri, [], (text) =>
        positions.map((position) => selectionRange(text, text.offset(position))),
      ),
    );
    connection.languages.semanticTokens.on(({ textDocument }) =>
      answer(textDocument.uri, { data: [] }, semanticTokens),
    );
    connection.onDocumentFormatting(({ textDocument }) =>
      answer<TextEdit[]>(textDocument.uri, [], formattingEdits),
    );
    connection.onCodeLens(({ textDocument }) => answer(textDocument.uri, [], codeLenses));
    connection.onCodeAction(({ textDocument }) =>
      answer(textDocument.uri, [], (text) => {
        const mended = text.source.problem === null ? null : mendSource(text.text, text.dialect);
        if (mended === null || 'wrong' in mended) return [];
        const edit = { changes: { [text.uri]: lineEdits(text, mended.text) } };
        const title = `Balance: ${mended.changes.join(', ')}`;
        return [{ title, kind: CodeActionKind.QuickFix, isPreferred: true, edit }];
      }),
    );
  }

  #open({ clientInfo, workspaceFolders, rootUri, initializationOptions, capabilities }: InitializeParams) {
    const { folder: dataFolder, reach, project, session, engine } = this.#options;
    const root = workspaceFolders?.[0]?.uri ?? rootUri;
    const opened = project ?? (root?.startsWith('file:') ? fileURLToPath(root) : process.cwd());
    const folder = realpathSync(opened);
    const client = keyOf(clientInfo?.name);
    const wanted: Wanted = { session, engine, ...wantedIn(initializationOptions) };
    const link = new HarborLink({
      ...{ folder: dataFolder, reach, hello: { client, project: folder } },
      onEnded: (ended) => void this.#ended(ended),
    });
    const openTexts = () => this.#documents.all().flatMap((each) => LispText.of(each) ?? []);
    const files = new ProjectFiles((file) => openTexts().find((each) => each.path === file) ?? null);
    const imageSession = new ImageSession(link, folder, wanted, (found, purpose) =>
      this.#connection.console.info(
        found === null
          ? `No session reads ${purpose}: answers come from the source files. Evaluate a form or load a file to open one.`
          : `Session ${found.session} (${found.engine}) answers for ${purpose}.`,
      ),
    );
    const { signal } = this.#closing;
    const names = new Names({ project: folder, client, files, session: imageSession, openTexts, signal });
    const canShowProgress = capabilities.window?.workDoneProgress === true;
    return { folder, link, files, session: imageSession, names, canShowProgress };
  }

  /** Connects to the harbor, so that loads by others are reported from now on. */
  async #join(): Promise<void> {
    try {
      await this.#project?.link.call('images', {});
    } catch (error) {
      const why = asFailure(error).message;
      this.#show(
        `Lisp Harbor is not running: answers come from the source files. ${why}`,
        MessageType.Warning,
      );
    }
  }

  #text(uri: string): LispText | null {
    const document = this.#documents.get(uri);
    return document ? LispText.of(document) : null;
  }

  #at<T>(
    uri: string,
    position: Position,
    answer: (names: Names, text: LispText, offset: number) => T,
  ): T | null {
    const text = this.#text(uri);
    return text && this.#project ? answer(this.#project.names, text, text.offset(position)) : null;
  }

  #diagnoseSoon({ uri }: TextDocument): void {
    clearTimeout(this.#pauses.get(uri));
    this.#pauses.set(
      uri,
      setTimeout(() => this.#diagnose(uri), PAUSE_MS),
    );
  }

  #diagnose(uri: string): void {
    const text = this.#text(uri);
    if (text === null) return;
    const diagnostics = [...readingProblems(text), ...this.#notes.diagnostics(keyIn(text), text)];
    void this.#connection.sendDiagnostics({ uri, version: text.document.version, diagnostics });
  }

  /** Shows what a load reported, whoever made it. */
  async #ended({ evaluation, kind }: EndedEvaluation): Promise<void> {
    const project = this.#project;
    project?.session.forget();
    if (kind !== 'load' || !project) return;
    const found = await project.link.call('history', { id: evaluation }).catch(() => null);
    const record = found?.data.evaluation as ToolAnswer['data'] | undefined;
    if (!record) return;
    const loaded = loadedFile(record, project.folder);
    await this.#notes.loaded(record, loaded, (file) => project.files.text(file));
    for (const { uri } of this.#documents.all()) this.#diagnose(uri);
  }

  async #evaluate(text: LispText, where: unknown, token: CancellationToken) {
    const chosen = Object(where) as Partial<Range> & Partial<Range['start']>;
    const form =
      chosen.start && chosen.end
        ? { start: text.offset(chosen.start), end: text.offset(chosen.end) }
        : text.formAt(text.offset({ line: chosen.line ?? 0, character: chosen.character ?? 0 }))?.whole;
    if (!form) throw new ResponseError(ErrorCodes.InvalidParams, 'There is no form at this place.');
    const code = text.text.slice(form.start, form.end);
    const here = text.packageAt(form.start);
    const args = { code, ...(here === undefined ? {} : { package: here }) };
    const answer = await this.#run(text, 'eval', args, token);
    this.#notes.evaluated(answer.data, keyIn(text), text, form.start, form.end);
    this.#diagnose(text.uri);
    return outcomeOf(answer);
  }

  async #load(text: LispText, token: CancellationToken) {
    const saved = text.path === null ? null : await new ProjectFiles(() => null).text(text.path);
    if (saved?.text !== text.text)
      throw new ResponseError(
        ErrorCodes.InvalidRequest,
        'Save the file first: its engine loads it from the disk.',
      );
    return outcomeOf(await this.#run(text, 'load', { path: text.path }, token));
  }

  /** Runs a tool with progress that the user can cancel, which interrupts the evaluation. */
  async #run(text: LispText, tool: string, args: Record<string, unknown>, token: CancellationToken) {
    const project = this.#project;
    if (!project) throw new ResponseError(ErrorCodes.ServerNotInitialized, 'The editor has not begun.');
    const stop = new AbortController();
    this.#running.add(stop);
    const cancelled = token.onCancellationRequested(() => stop.abort());
    const endProgress = project.canShowProgress ? await this.#showProgress(tool, stop) : () => undefined;
    const show = (output: string) => this.#connection.console.log(output.trimEnd());
    try {
      const answer = await project.session.run(text, tool, args, { show, signal: stop.signal });
      this.#say(answer);
      return answer;
    } catch (error) {
      throw new ResponseError(ErrorCodes.InvalidRequest, asFailure(error).message);
    } finally {
      endProgress();
      cancelled.dispose();
      this.#running.delete(stop);
    }
  }

  async #showProgress(tool: string, stop: AbortController): Promise<() => void> {
    const progress = await this.#connection.window.createWorkDoneProgress();
    progress.begin(tool === 'load' ? 'Loading' : 'Evaluating', undefined, undefined, true);
    const listener = progress.token.onCancellationRequested(() => stop.abort());
    const removeListener = onAbort(stop.signal, () => progress.report('Interrupting'));
    return () => {
      listener.dispose();
      removeListener();
      progress.done();
    };
  }

  #say({ text, isError }: ToolAnswer): void {
    const short = text.length > LONGEST_MESSAGE ? `${text.slice(0, LONGEST_MESSAGE)}…` : text;
    this.#show(short, isError ? MessageType.Error : MessageType.Info);
  }

  #show(message: string, type: MessageType): void {
    void this.#connection.sendNotification(ShowMessageNotification.type, { type, message });
  }

  #interrupt(): { interrupted: number } {
    const running = [...this.#running];
    for (const each of running) each.abort();
    return { interrupted: running.length };
  }
}

/** Maximum characters of a result in a message; the log of the harbor has all of it. */
const LONGEST_MESSAGE = 2_000;

function outcomeOf({ data, text }: ToolAnswer) {
  const { id, session, outcome, forms, stdout } = data;
  return { evaluation: id, session, outcome, forms, stdout, text };
}

/** Returns what the reader finds wrong: delimiters that do not match, and those that contradict the indentation. */
function readingProblems(text: LispText): Diagnostic[] {
  const { source } = text;
  const wrong = diagnosisOf(source);
  if (wrong !== null && source.problem !== null) {
    const start = problemOffset(source.problem);
    return [problem(text, { start, end: start + 1 }, diagnosisText(wrong), DiagnosticSeverity.Error)];
  }
  if (text.text.length > LARGEST_MENDED) return [];
  const mended = mendSource(text.text, text.dialect);
  if (!('wrong' in mended)) return [];
  const { line, column } = mended.wrong;
  const start = text.offset({ line: line - 1, character: column - 1 });
  return [problem(text, { start, end: start + 1 }, diagnosisText(mended.wrong), DiagnosticSeverity.Warning)];
}

function problem(
  text: LispText,
  place: { start: number; end: number },
  message: string,
  severity: DiagnosticSeverity,
): Diagnostic {
  return { range: text.range(place), message, severity, source: 'lisp-harbor', code: 'delimiters' };
}

function keyIn({ path: file, uri }: LispText): string {
  return file ?? uri;
}

/** Returns the file that a load of one file names in its code. */
function loadedFile({ code }: ToolAnswer['data'], folder: string): string | null {
  const [written] = /(?<!\\)"(?:[^"\\]|\\.)*"/.exec(String(code)) ?? [];
  const named = written === undefined ? '' : stringRead(written);
  return named.startsWith(folder) ? path.normalize(named) : null;
}

/** Returns the client’s key by the editor’s name: `Visual Studio Code` is `visual-studio-code`. */
function keyOf(name = 'editor'): string {
  const key = name
    .toLowerCase()
    .replace(/[^a-z0-9._]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 50);
  try {
    refuseReservedKey(key);
    return key;
  } catch {
    return `editor-${key || 'unnamed'}`;
  }
}

function wantedIn(options: unknown): Wanted {
  const { session, engine } = Object(options) as Record<string, unknown>;
  const named = EngineName.safeParse(engine);
  return {
    ...(typeof session === 'string' ? { session } : {}),
    ...(named.success ? { engine: named.data } : {}),
  };
}
