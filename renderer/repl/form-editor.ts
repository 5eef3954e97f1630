/** The editor in which forms are written: CodeMirror with the structure, indentation and names of Lisp. */
import {
  acceptCompletion,
  closeBracketsKeymap,
  closeCompletion,
  completionStatus,
  moveCompletionSelection,
  selectedCompletion,
  startCompletion,
} from '@codemirror/autocomplete';
import {
  defaultKeymap,
  history,
  historyKeymap,
  indentSelection,
  insertNewlineAndIndent,
  isolateHistory,
} from '@codemirror/commands';
import { bracketMatching, indentService, syntaxHighlighting } from '@codemirror/language';
import { Compartment, EditorState, type Extension, Prec } from '@codemirror/state';
import { drawSelection, EditorView, type KeyBinding, keymap, placeholder } from '@codemirror/view';
import type { Completion } from '../../electron/contract/knowledge';
import { completeness } from '../../electron/source/complete';
import type { Dialect } from '../../electron/source/dialect';
import { closing } from './closing';
import { MARKS, THEME } from './editor-look';
import { endOfLine, leaveByTab, moveLine, moveTo, moveToBoundary } from './editor-moves';
import { columnAfter } from './indentation';
import { LANGUAGES } from './languages';
import { NAME, nameCompletion } from './name-completion';
import {
  barf,
  endOfForm,
  killForm,
  raise,
  STRUCTURED,
  type StructuralEdit,
  slurp,
  startOfForm,
  wrap,
} from './structural';

export interface FormEditorOptions {
  host: HTMLElement;
  dialect: Dialect;
  text: string;
  label: string;
  /** What stands there while it is empty; `expectsOther` has it asked for again. */
  whileEmpty: () => string;
  /** Whether Enter sends whatever stands there, as for code that reads a line. */
  takesLine: () => boolean;
  /** Whether what is typed is a line for code that reads, and no Lisp. */
  readsLine: () => boolean;
  complete: (prefix: string) => Promise<readonly Completion[]>;
  onSubmit: (text: string) => void;
  onChange: (text: string) => void;
  /** The cursor is in another place, or the text is another. */
  onMove: (text: string, at: number) => void;
  /** Walks through the forms of before: the text to show instead, or null. */
  older: (text: string) => string | null;
  newer: () => string | null;
  onSearch: () => void;
  /** Ctrl+C without a selection. */
  onTakeBack: () => void;
  onClear: () => void;
}

export class FormEditor {
  readonly #view: EditorView;
  readonly #options: FormEditorOptions;
  readonly #whileEmpty = new Compartment();
  #killed = '';

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

  /** What is typed next is taken for something else now. */
  expectsOther(): void {
    this.#view.dispatch({ effects: this.#whileEmpty.reconfigure(placeholder(this.#options.whileEmpty())) });
  }

  dispose(): void {
    this.#view.destroy();
  }

  /** Another text in place of what stands there, the cursor at its end. It is undone by itself, however fast it was typed. */
  show(text: string): void {
    this.#view.dispatch({
      changes: { from: 0, to: this.#view.state.doc.length, insert: text },
      selection: { anchor: text.length },
      scrollIntoView: true,
      annotations: isolateHistory.of('full'),
    });
  }

  /** Text where the cursor is. */
  insert(text: string): void {
    this.#view.dispatch(this.#view.state.replaceSelection(text));
    this.focus();
  }

  #extensions(): Extension[] {
    const { dialect, label, complete } = this.#options;
    return [
      history(),
      drawSelection({ cursorBlinkRate: 0 }),
      EditorState.allowMultipleSelections.of(true),
      LANGUAGES[dialect],
      syntaxHighlighting(MARKS),
      bracketMatching({ brackets: '()[]{}' }),
      closing(dialect, () => this.#options.readsLine()),
      indentService.of((context, at) => {
        // Of a line that is there already, the newline before it does not count.
        const end = context.simulatedBreak === at ? at : Math.max(0, at - 1);
        return columnAfter(context.state.sliceDoc(0, end), dialect);
      }),
      nameCompletion(complete),
      EditorView.lineWrapping,
      EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'false', autocapitalize: 'off' }),
      this.#whileEmpty.of(placeholder(this.#options.whileEmpty())),
      THEME,
      Prec.high(keymap.of(this.#keys())),
      keymap.of([...closeBracketsKeymap, ...historyKeymap, ...defaultKeymap]),
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

  /** Emacs's and readline's keys are the editor's own, whatever they mean in the rest of the window. */
  #keys(): KeyBinding[] {
    const { onSearch, onClear } = this.#options;
    const done = (act: () => void) => () => {
      act();
      return true;
    };
    return [
      { key: 'Enter', run: () => this.#enter() },
      { key: 'Mod-Enter', run: done(() => this.#submit()) },
      { key: 'Shift-Enter', run: insertNewlineAndIndent },
      { key: 'Alt-Enter', run: insertNewlineAndIndent },
      { key: 'Ctrl-j', run: insertNewlineAndIndent },
      { key: 'Tab', run: (view) => this.#tab(view) },
      { key: 'Shift-Tab', run: indentSelection },
      { key: 'Escape', run: (view) => closeCompletion(view) || leaveByTab(view) },
      { key: 'ArrowUp', run: (view) => this.#up(view) },
      { key: 'ArrowDown', run: (view) => this.#down(view) },
      { key: 'Ctrl-p', run: (view) => this.#up(view) || moveLine(view, false) },
      { key: 'Ctrl-n', run: (view) => this.#down(view) || moveLine(view, true) },
      { key: 'Alt-p', run: () => this.#walk(this.#options.older(this.text)) },
      { key: 'Alt-n', run: () => this.#walk(this.#options.newer()) },
      { key: 'Ctrl-r', run: done(onSearch) },
      { key: 'Ctrl-l', run: done(onClear) },
      { key: 'Ctrl-c', run: (view) => this.#takeBack(view) },
      { key: 'Ctrl-a', run: (view) => moveToBoundary(view, false) },
      { key: 'Ctrl-e', run: (view) => moveToBoundary(view, true) },
      { key: 'Ctrl-f', run: (view) => moveTo(view, view.moveByChar(view.state.selection.main, true).head) },
      { key: 'Ctrl-b', run: (view) => moveTo(view, view.moveByChar(view.state.selection.main, false).head) },
      { key: 'Alt-f', run: (view) => moveTo(view, view.moveByGroup(view.state.selection.main, true).head) },
      { key: 'Alt-b', run: (view) => moveTo(view, view.moveByGroup(view.state.selection.main, false).head) },
      {
        key: 'Ctrl-d',
        run: (view) => this.#kill(view, view.moveByChar(view.state.selection.main, true).head, false),
      },
      { key: 'Ctrl-k', run: (view) => this.#kill(view, endOfLine(view)) },
      {
        key: 'Ctrl-u',
        run: (view) => this.#kill(view, view.state.doc.lineAt(view.state.selection.main.head).from),
      },
      {
        key: 'Ctrl-w',
        run: (view) => this.#kill(view, view.moveByGroup(view.state.selection.main, false).head),
      },
      {
        key: 'Alt-d',
        run: (view) => this.#kill(view, view.moveByGroup(view.state.selection.main, true).head),
      },
      { key: 'Ctrl-y', run: done(() => this.insert(this.#killed)) },
      { key: 'Ctrl-ArrowRight', run: this.#structural(slurp) },
      { key: 'Ctrl-ArrowLeft', run: this.#structural(barf) },
      { key: 'Alt-(', run: this.#structural(wrap) },
      { key: 'Alt-r', run: this.#structural(raise) },
      { key: 'Ctrl-Alt-k', run: this.#structural(killForm) },
      { key: 'Ctrl-Alt-f', run: (view) => this.#overForm(view, endOfForm) },
      { key: 'Ctrl-Alt-b', run: (view) => this.#overForm(view, startOfForm) },
    ];
  }

  /** Sends what is complete; in what is not, and right before delimiters that only close, a line begins. */
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

  #tab(view: EditorView): boolean {
    if (completionStatus(view.state) === 'active') {
      if (selectedCompletion(view.state) === null) moveCompletionSelection(true)(view);
      return acceptCompletion(view);
    }
    const { head, empty } = view.state.selection.main;
    const line = view.state.doc.lineAt(head);
    const before = line.text.slice(0, head - line.from);
    return empty && NAME.test(before) ? startCompletion(view) : indentSelection(view) || true;
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

  #takeBack(view: EditorView): boolean {
    // With a selection it copies, as everywhere.
    if (!view.state.selection.main.empty) return false;
    this.#options.onTakeBack();
    return true;
  }

  #kill(view: EditorView, to: number, remembers = true): boolean {
    const { head } = view.state.selection.main;
    const [from, end] = [Math.min(head, to), Math.max(head, to)];
    if (remembers && end > from) this.#killed = view.state.sliceDoc(from, end);
    view.dispatch({ changes: { from, to: end }, userEvent: 'delete' });
    return true;
  }

  #structural(edit: StructuralEdit): (view: EditorView) => boolean {
    return (view) => {
      const done = edit(this.text, view.state.selection.main.head, this.#options.dialect);
      if (done)
        view.dispatch({
          changes: [...done.changes],
          selection: { anchor: done.cursor },
          userEvent: 'input.structure',
        });
      return true;
    };
  }

  #overForm(view: EditorView, find: typeof endOfForm): boolean {
    const to = find(this.text, view.state.selection.main.head, this.#options.dialect);
    return to === null || moveTo(view, to);
  }
}
