/** The editor for forms that are submitted to a session, with their history. */

import {
  closeCompletion,
  completionStatus,
  moveCompletionSelection,
  selectedCompletion,
} from '@codemirror/autocomplete';
import { insertNewlineAndIndent, isolateHistory } from '@codemirror/commands';
import { Compartment, EditorState, type Extension, Prec } from '@codemirror/state';
import { EditorView, type KeyBinding, keymap, placeholder } from '@codemirror/view';
import type { Completion } from '../../electron/contract/knowledge';
import type { Dialect } from '../../electron/source/dialect';
import { completeness } from '../../electron/source/reader';
import { editingKeys, HANGING, lispEditing } from './lisp-editing';
import { leaveByTab, moveLine, STRUCTURED } from './structural-editing';

interface FormEditorOptions {
  host: HTMLElement;
  dialect: Dialect;
  text: string;
  label: string;
  /** Returns the placeholder. Call `expectsOther` when it changes. */
  whileEmpty: () => string;
  /** Reports whether Enter submits any text, as for code that reads a line. */
  takesLine: () => boolean;
  /** Reports whether the input is a line for code that reads, not Lisp. */
  readsLine: () => boolean;
  complete: (prefix: string) => Promise<readonly Completion[]>;
  onSubmit: (text: string) => void;
  onChange: (text: string) => void;
  /** Called when the cursor or the text changes. */
  onMove: (text: string, at: number) => void;
  /** Returns the next older entry of the history, or null. */
  older: (text: string) => string | null;
  newer: () => string | null;
  onSearch: () => void;
  /** Called for Ctrl+C without a selection. */
  onCancel: () => void;
  onClear: () => void;
}

export class FormEditor {
  readonly #view: EditorView;
  readonly #options: FormEditorOptions;
  readonly #whileEmpty = new Compartment();

  constructor(options: FormEditorOptions) {
    this.#options = options;
    this.#view = new EditorView({
      parent: options.host,
      state: EditorState.create({
        doc: options.text,
        selection: { anchor: options.text.length },
        extensions: this.#extensions(),
      }),
    });
  }

  get text(): string {
    return this.#view.state.doc.toString();
  }

  focus(): void {
    this.#view.focus();
  }

  /** Call when the meaning of the input changes, from Lisp to a line for reading code or back. */
  expectsOther(): void {
    this.#view.dispatch({ effects: this.#whileEmpty.reconfigure(placeholder(this.#options.whileEmpty())) });
  }

  dispose(): void {
    this.#view.destroy();
  }

  /** Replaces the text and moves the cursor to its end, as a separate undo step. */
  show(text: string): void {
    this.#view.dispatch({
      changes: { from: 0, to: this.#view.state.doc.length, insert: text },
      selection: { anchor: text.length },
      scrollIntoView: true,
      annotations: isolateHistory.of('full'),
    });
  }

  /** Inserts text at the cursor. */
  insert(text: string): void {
    this.#view.dispatch(this.#view.state.replaceSelection(text));
    this.focus();
  }

  #extensions(): Extension[] {
    const { dialect, label, complete } = this.#options;
    return [
      lispEditing({ dialect, isPlain: () => this.#options.readsLine(), complete }),
      EditorView.lineWrapping,
      HANGING,
      EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'false', autocapitalize: 'off' }),
      this.#whileEmpty.of(placeholder(this.#options.whileEmpty())),
      Prec.high(keymap.of([...this.#keys(), ...editingKeys(dialect)])),
      EditorView.updateListener.of(({ docChanged, selectionSet }) => {
        if (docChanged) this.#options.onChange(this.text);
        if (docChanged || selectionSet) this.#moved();
      }),
    ];
  }

  #moved(): void {
    const { doc, selection } = this.#view.state;
    if (doc.length <= STRUCTURED) this.#options.onMove(this.text, selection.main.head);
  }

  /** The keys of Emacs and readline, which take precedence over shortcuts of the window. */
  #keys(): KeyBinding[] {
    const { onSearch, onClear } = this.#options;
    const done = (action: () => void) => () => {
      action();
      return true;
    };
    return [
      { key: 'Enter', run: () => this.#enter() },
      { key: 'Mod-Enter', run: done(() => this.#submit()) },
      { key: 'Shift-Enter', run: insertNewlineAndIndent },
      { key: 'Alt-Enter', run: insertNewlineAndIndent },
      { key: 'Ctrl-j', run: insertNewlineAndIndent },
      { key: 'Escape', run: (view) => closeCompletion(view) || leaveByTab(view) },
      { key: 'ArrowUp', run: (view) => this.#up(view) },
      { key: 'ArrowDown', run: (view) => this.#down(view) },
      { key: 'Ctrl-p', run: (view) => this.#up(view) || moveLine(view, false) },
      { key: 'Ctrl-n', run: (view) => this.#down(view) || moveLine(view, true) },
      { key: 'Alt-p', run: () => this.#walk(this.#options.older(this.text)) },
      { key: 'Alt-n', run: () => this.#walk(this.#options.newer()) },
      { key: 'Ctrl-r', run: done(onSearch) },
      { key: 'Ctrl-l', run: done(onClear) },
      { key: 'Ctrl-c', run: (view) => this.#cancel(view) },
    ];
  }

  /** Submits a complete form. Otherwise, or before closing delimiters, inserts a newline. */
  #enter(): boolean {
    const { state } = this.#view;
    const rest = state.sliceDoc(state.selection.main.head);
    const written = /^[\s)\]}]*$/.test(rest) && rest.trim() !== '';
    const sends =
      this.#options.takesLine() ||
      (!written && completeness(this.text, this.#options.dialect) === 'complete');
    if (!sends) return insertNewlineAndIndent(this.#view);
    this.#submit();
    return true;
  }

  #submit(): void {
    closeCompletion(this.#view);
    const text = this.text;
    if (text.trim() === '' && !this.#options.takesLine()) return;
    this.show('');
    this.#options.onSubmit(text);
  }

  #up(view: EditorView): boolean {
    if (selectedCompletion(view.state) !== null) return moveCompletionSelection(false)(view);
    const first = view.state.doc.lineAt(view.state.selection.main.head).number === 1;
    return first && this.#walk(this.#options.older(this.text));
  }

  #down(view: EditorView): boolean {
    if (completionStatus(view.state) === 'active') return moveCompletionSelection(true)(view);
    const last = view.state.doc.lineAt(view.state.selection.main.head).number === view.state.doc.lines;
    return last && this.#walk(this.#options.newer());
  }

  #walk(text: string | null): boolean {
    if (text !== null) {
      closeCompletion(this.#view);
      this.show(text);
    }
    return text !== null;
  }

  #cancel(view: EditorView): boolean {
    // With a selection, Ctrl+C copies.
    if (!view.state.selection.main.empty) return false;
    this.#options.onCancel();
    return true;
  }
}
