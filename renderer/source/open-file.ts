/**
 * An open source file: its text with its undo history, which survives while other views are shown, and what is done
 * with it: saving, compiling, loading. Unsaved text survives a reload of the page.
 */
import type { EditorState } from '@codemirror/state';
import { EditorView, type KeyBinding } from '@codemirror/view';
import type { QueryClient } from '@tanstack/react-query';
import { createStore } from 'zustand';
import type { Completion } from '../../electron/contract/knowledge';
import type { Evaluation, SessionView } from '../../electron/contract/model';
import type { SourceText } from '../../electron/contract/source-files';
import { type Dialect, dialectOfFile } from '../../electron/source/dialect';
import { mergedText } from '../../electron/source/merge';
import type { Words } from '../../electron/words/words';
import type { Actions } from '../actions';
import { CallError, harbor, messageOf } from '../bridge';
import { nameAt } from '../browse/symbol-at';
import { asWritten } from '../repl/arglist';
import type { OfferedName } from '../repl/lisp-editing';
import { listAround } from '../repl/structural-editing';
import type { Toasts } from '../toasts';
import { notesOf } from './compiler-notes';
import { formAt, packageAt, parsedText } from './forms';
import {
  notesIn,
  replaceText,
  reveal,
  type ShownExpansion,
  setExpansion,
  setNotes,
  sourceState,
  type TextNote,
  textIn,
} from './source-editor';

/** The state of an open file for the view. */
export interface ShownFile {
  /** The file that the text was changed from. */
  base: SourceText;
  /** The file as it is now, if it cannot be merged with the text. */
  conflict: SourceText | null;
  text: string;
  /** Offset of the cursor. */
  at: number;
  notes: readonly TextNote[];
  isUnsaved: boolean;
  /** The result of the last command. */
  status: string;
  isBusy: boolean;
}

/** The services that commands use; set by the view whenever it renders. */
export interface FileServices {
  /** The session that compiles the file and answers about its names. */
  session: SessionView | null;
  words: Words;
  actions: Actions;
  toasts: Toasts;
  queries: QueryClient;
}

/** Keys of the files with unsaved text. */
export const unsavedFiles = createStore<ReadonlySet<string>>(() => new Set<string>());

const files = new Map<string, OpenFile>();

export function fileKey({ project, path }: Pick<SourceText, 'project' | 'path'>): string {
  return `${project}\n${path}`;
}

/** Returns the open file, or opens it. */
export function openFile(file: SourceText, words: Words): OpenFile {
  const key = fileKey(file);
  const known = files.get(key);
  if (known) return known;
  const opened = new OpenFile(file, key, words);
  files.set(key, opened);
  return opened;
}

/** Milliseconds after the last change in which the view follows. */
const FOLLOW_MS = 120;

export class OpenFile {
  readonly dialect: Dialect | null;
  readonly shown;
  services: FileServices | null = null;
  readonly #key: string;
  #state: EditorState;
  #view: EditorView | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(file: SourceText, key: string, words: Words) {
    this.#key = key;
    this.dialect = dialectOfFile(file.path);
    const saved = unsavedText(key);
    // Changes of an earlier version of the file are merged when the file is compared.
    const base = saved ? { ...file, text: saved.base, hash: saved.hash } : file;
    this.#state = sourceState({
      ...{ text: saved?.text ?? file.text, dialect: this.dialect, keys: this.#keys() },
      label: words.source.text(file.path),
      complete: (prefix, at) => this.#complete(prefix, at),
      onMark: (line) => this.#showNoteOf(line),
      expansion: {
        words: () => (this.services?.words ?? words).source,
        expand: ({ text, at }, extent) => void this.#expand(text, at, extent),
        close: () => this.#show(null),
      },
    });
    this.shown = createStore<ShownFile>(() => ({
      ...{ base, conflict: null, text: this.#state.doc.toString(), at: 0, notes: [] },
      ...{ isUnsaved: saved !== null, status: '', isBusy: false },
    }));
  }

  get view(): EditorView | null {
    return this.#view;
  }

  /** Shows the text in an element. Returns the function that removes it. */
  attach(host: HTMLElement): () => void {
    const view = new EditorView({
      parent: host,
      state: this.#state,
      dispatchTransactions: (transactions, shown) => {
        shown.update(transactions);
        this.#state = shown.state;
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => this.#follow(), FOLLOW_MS);
      },
    });
    this.#view = view;
    return () => {
      this.#follow();
      view.destroy();
      this.#view = null;
    };
  }

  /** Call with the file as it is on the disk. Changes there are merged with those of the text. */
  compare(file: SourceText): void {
    const { base, conflict } = this.shown.getState();
    if (file.hash === base.hash || file.hash === conflict?.hash) return;
    const text = textIn(this.#state);
    const isUnsaved = text !== base.text;
    const merged = isUnsaved ? mergedText(base.text, text, file.text, this.dialect) : file.text;
    if (merged === null) {
      this.shown.setState({ conflict: file });
      return;
    }
    if (isUnsaved && merged !== text)
      this.services?.toasts.done(this.services.words.source.merged(file.path));
    this.take(file, merged);
  }

  /** Shows a text as changed from a file. */
  take(base: SourceText, text: string): void {
    this.shown.setState({ base, conflict: null });
    const spec = replaceText(this.#state, text);
    if (this.#view) this.#view.dispatch(spec);
    else this.#state = this.#state.update(spec).state;
    this.#follow();
  }

  /** Selects a place of the text. */
  show(from: number, to = from): void {
    if (this.#view) reveal(this.#view, from, to);
  }

  /** Returns whether the text is saved. */
  async save(): Promise<boolean> {
    const { base, conflict } = this.shown.getState();
    if (!this.services || conflict) return false;
    const { session, words, toasts, queries } = this.services;
    const { path, hash } = base;
    try {
      const text = textIn(this.#state);
      const written = await harbor.source.write({ session: session?.id ?? null, path, text, hash });
      this.shown.setState({ base: written, status: words.source.saved(path) });
      this.#follow();
      void queries.invalidateQueries({ queryKey: ['source'] });
      return true;
    } catch (error) {
      // The file is read again, and merged or shown as a conflict.
      if (error instanceof CallError && error.code === 'hash_mismatch')
        await queries.invalidateQueries({ queryKey: ['source', 'file'] });
      else toasts.failed(messageOf(error));
      return false;
    }
  }

  /** Compiles the form at the cursor. */
  async compile(): Promise<void> {
    const session = this.#sessionOrMessage();
    if (!session || !this.services || this.dialect === null) return;
    const { dialect } = this;
    const { compiled } = this.services.words.source;
    const text = this.#state.doc.toString();
    const parsed = parsedText(text, dialect);
    const form = formAt(parsed, this.#state.selection.main.head);
    if (!form) return;
    const code = text.slice(form.start, form.end);
    const here = packageAt(parsed, form.start);
    const definition = parsed.defined.find(({ start }) => start === form.start);
    await this.#run(
      compiled(definition?.title ?? code.split('\n', 1)[0] ?? code),
      harbor.source.compile({ session: session.id, code, ...(here === undefined ? {} : { package: here }) }),
      (row, now) => {
        const before = notesIn(this.#state);
        // The text may have changed since. A form that is no longer there has no notes.
        const start = now.startsWith(code, form.start) ? form.start : now.indexOf(code);
        if (start < 0) return before;
        const others = before.filter(({ from }) => from < start || from >= start + code.length);
        return [...others, ...notesOf(row, now, dialect, { start, code })];
      },
    );
  }

  /** Saves the file and loads it. */
  async load(): Promise<void> {
    const session = this.#sessionOrMessage();
    if (!session || !this.services || this.dialect === null) return;
    const { dialect } = this;
    const { base, isUnsaved } = this.shown.getState();
    if (isUnsaved && !(await this.save())) return;
    await this.#run(
      this.services.words.source.loaded(base.path),
      harbor.source.load({ session: session.id, path: base.path }),
      (row, now) => notesOf(row, now, dialect, { file: base.file }),
    );
  }

  /** Opens the file in the user's editor, at the line of the cursor. */
  async edit(): Promise<void> {
    const { base, text, at } = this.shown.getState();
    const line = text.slice(0, at).split('\n').length;
    const session = this.services?.session?.id ?? null;
    await this.services?.actions.harbor.source.edit({ session, path: base.file, line });
  }

  /** Expands the list around the cursor, and shows the expansion below it. */
  async expand(): Promise<void> {
    if (this.dialect === null) return;
    const text = this.#state.doc.toString();
    const list = listAround(text, this.#state.selection.main.head, this.dialect);
    if (list) await this.#expand(text.slice(list.start, list.end), list.end, 'once');
  }

  /** @param at the offset below which the expansion is shown */
  async #expand(code: string, at: number, extent: 'once' | 'full'): Promise<void> {
    const session = this.#sessionOrMessage();
    if (!session || !this.services || this.dialect === null) return;
    const here = packageAt(parsedText(this.#state.doc.toString(), this.dialect), at);
    const request = { session: session.id, code, extent, ...(here === undefined ? {} : { package: here }) };
    const answer = await this.services.actions.harbor.source.expand(request);
    if (!answer) return;
    if ('problem' in answer) this.services.toasts.failed(answer.problem);
    else this.#show({ at, text: asWritten(answer.expansion) });
  }

  #show(expansion: ShownExpansion | null): void {
    this.#view?.dispatch({ effects: setExpansion.of(expansion) });
    if (expansion === null) this.#view?.focus();
  }

  #sessionOrMessage(): SessionView | null {
    if (!this.services || this.dialect === null || this.shown.getState().isBusy) return null;
    const { session, toasts, actions, words } = this.services;
    if (session === null)
      toasts.failed(words.source.noEngine, {
        label: words.source.openSession,
        run: () => void actions.opener.open(),
      });
    return session;
  }

  /** @param notes returns the notes to show after the evaluation, in the text as it is then */
  async #run(
    done: string,
    evaluation: Promise<Evaluation>,
    notes: (row: Evaluation, text: string) => readonly TextNote[],
  ): Promise<void> {
    const { words, toasts } = this.services as FileServices;
    this.shown.setState({ isBusy: true, status: words.source.compiling });
    try {
      const row = await evaluation;
      const spec = { effects: setNotes.of(notes(row, this.#state.doc.toString())) };
      if (this.#view) this.#view.dispatch(spec);
      else this.#state = this.#state.update(spec).state;
      const problem = row.condition?.message.split('\n', 1)[0] ?? row.outcome;
      this.shown.setState({ status: row.outcome === 'ok' ? done : problem });
      this.#follow();
    } catch (error) {
      this.shown.setState({ status: '' });
      toasts.failed(messageOf(error));
    } finally {
      this.shown.setState({ isBusy: false });
    }
  }

  #keys(): KeyBinding[] {
    const done = (action: () => unknown) => () => {
      void action();
      return true;
    };
    return [
      { key: 'Mod-Enter', run: done(() => this.compile()) },
      { key: 'Mod-s', run: done(() => this.save()) },
      { key: 'Mod-l', run: done(() => this.load()) },
      { key: 'Mod-Shift-e', run: done(() => this.edit()) },
      { key: 'Alt-m', run: done(() => this.expand()) },
      { key: 'Alt-.', run: done(() => this.#showDefinition()) },
      { key: 'Alt-,', run: done(() => this.services?.actions.sources.back()) },
      { key: 'F8', run: done(() => this.#nextNote(1)), shift: done(() => this.#nextNote(-1)) },
    ];
  }

  /** Selects the next note after the cursor, or before it. */
  #nextNote(step: 1 | -1): void {
    const notes = notesIn(this.#state);
    const { from: at } = this.#state.selection.main;
    const next =
      step === 1
        ? (notes.find(({ from }) => from > at) ?? notes[0])
        : (notes.findLast(({ from }) => from < at) ?? notes.at(-1));
    if (next) this.show(next.from, next.to);
  }

  #showDefinition(): void {
    // The way back leads to the cursor as it is now.
    this.#follow();
    const { doc, selection } = this.#state;
    const { head } = selection.main;
    const line = doc.lineAt(head);
    const name = nameAt(line.text, head - line.from);
    if (name === null || !this.services || this.dialect === null) return;
    const here = packageAt(parsedText(doc.toString(), this.dialect), head);
    void this.services.actions.sources.showDefinition(this.services.session?.id ?? null, name, here);
  }

  #showNoteOf(line: number): void {
    const { from, to } = this.#state.doc.line(line);
    const note = notesIn(this.#state).find((each) => from <= each.from && each.from <= to);
    if (note) this.show(note.from, note.to);
  }

  async #complete(prefix: string, at: number) {
    const session = this.services?.session;
    if (this.dialect === null) return [];
    if (!session) return byUse([], prefix, this.#state.doc.toString());
    const here = packageAt(parsedText(this.#state.doc.sliceString(0, at), this.dialect), at);
    const request = { session: session.id, prefix, ...(here === undefined ? {} : { package: here }) };
    return byUse(await harbor.sessions.complete(request).catch(() => []), prefix, this.#state.doc.toString());
  }

  /** Updates what the view shows, and what survives a reload. */
  #follow(): void {
    clearTimeout(this.#timer);
    const { base } = this.shown.getState();
    const written = textIn(this.#state);
    const isUnsaved = written !== base.text;
    this.shown.setState({
      ...{ text: this.#state.doc.toString(), at: this.#state.selection.main.head },
      ...{ notes: notesIn(this.#state), isUnsaved },
    });
    const known = unsavedFiles.getState();
    if (known.has(this.#key) !== isUnsaved)
      unsavedFiles.setState(
        new Set(isUnsaved ? [...known, this.#key] : [...known].filter((key) => key !== this.#key)),
        true,
      );
    keepUnsaved(this.#key, isUnsaved ? { text: written, base: base.text, hash: base.hash } : null);
  }
}

/** Adds the names of the text, and how often each is used there. */
function byUse(names: readonly Completion[], prefix: string, text: string): OfferedName[] {
  const uses = new Map<string, { name: string; count: number }>();
  for (const [name] of text.matchAll(/[^\s()[\]{}'"`,;@#]+/g)) {
    const known = uses.get(name.toLowerCase());
    if (known) known.count += 1;
    else uses.set(name.toLowerCase(), { name, count: 1 });
  }
  const offered = new Set(names.map(({ name }) => name.toLowerCase()));
  const wanted = prefix.toLowerCase();
  const own = [...uses].flatMap(([key, { name, count }]) =>
    key.startsWith(wanted) && (key !== wanted || count > 1) && !offered.has(key) && !/^\d/.test(key)
      ? [{ name, kind: '', uses: count }]
      : [],
  );
  return [...names.map((each) => ({ ...each, uses: uses.get(each.name.toLowerCase())?.count ?? 0 })), ...own];
}

// Unsaved text in the storage of the page.

const PREFIX = 'source:';
/** Maximum length of saved text. The storage of a page is limited. */
const LONGEST = 1_000_000;

/** `base` is the text of the file with that hash, from which it was changed. */
interface UnsavedText {
  text: string;
  base: string;
  hash: string;
}

function keepUnsaved(key: string, unsaved: UnsavedText | null): void {
  try {
    if (unsaved === null || unsaved.text.length > LONGEST) localStorage.removeItem(PREFIX + key);
    else localStorage.setItem(PREFIX + key, JSON.stringify(unsaved));
  } catch {
    // The storage is full. The editor still contains the text.
  }
}

function unsavedText(key: string): UnsavedText | null {
  try {
    const saved: unknown = JSON.parse(localStorage.getItem(PREFIX + key) ?? 'null');
    if (typeof saved !== 'object' || saved === null) return null;
    const { text, base, hash } = saved as Partial<UnsavedText>;
    return text === undefined || base === undefined || hash === undefined ? null : { text, base, hash };
  } catch {
    return null;
  }
}
