/** The editor for Lisp forms: CodeMirror with structural editing, indentation and completion. */

import {
  acceptCompletion,
  autocompletion,
  type CompletionContext,
  type CompletionResult,
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
import {
  bracketMatching,
  HighlightStyle,
  indentService,
  StreamLanguage,
  syntaxHighlighting,
} from '@codemirror/language';
import { clojure } from '@codemirror/legacy-modes/mode/clojure';
import { commonLisp } from '@codemirror/legacy-modes/mode/commonlisp';
import { Compartment, EditorState, type Extension, Prec, RangeSetBuilder } from '@codemirror/state';
import {
  Decoration,
  drawSelection,
  EditorView,
  type KeyBinding,
  keymap,
  placeholder,
} from '@codemirror/view';
import { tags } from '@lezer/highlight';
import type { Completion } from '../../electron/contract/knowledge';
import type { Dialect } from '../../electron/source/dialect';
import { completeness } from '../../electron/source/reader';
import { hangOf } from '../parts/code';
import {
  barf,
  closing,
  columnAfter,
  endOfForm,
  endOfLine,
  killForm,
  leaveByTab,
  moveLine,
  moveTo,
  moveToBoundary,
  raise,
  STRUCTURED,
  type StructuralEdit,
  slurp,
  startOfForm,
  wrap,
} from './structural-editing';

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
      history(),
      drawSelection({ cursorBlinkRate: 0 }),
      EditorState.allowMultipleSelections.of(true),
      LANGUAGES[dialect],
      syntaxHighlighting(MARKS),
      bracketMatching({ brackets: '()[]{}' }),
      closing(dialect, () => this.#options.readsLine()),
      indentService.of((context, at) => {
        // For an existing line, the preceding newline does not count.
        const end = context.simulatedBreak === at ? at : Math.max(0, at - 1);
        return columnAfter(context.state.sliceDoc(0, end), dialect);
      }),
      nameCompletion(complete),
      EditorView.lineWrapping,
      HANGING,
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
      { key: 'Ctrl-c', run: (view) => this.#cancel(view) },
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

  #cancel(view: EditorView): boolean {
    // With a selection, Ctrl+C copies.
    if (!view.state.selection.main.empty) return false;
    this.#options.onCancel();
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

/**
 * The syntax highlighting of each dialect. One instance serves all editors, because CodeMirror never releases
 * a language.
 */
const LANGUAGES: Readonly<Record<Dialect, StreamLanguage<unknown>>> = {
  'common-lisp': StreamLanguage.define(commonLisp),
  clojure: StreamLanguage.define(clojure),
};

/** Editor styles with the window's code colors, for both themes. */
const MARKS = HighlightStyle.define([
  { tag: tags.keyword, color: 'var(--code-keyword)' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--code-string)' },
  { tag: [tags.number, tags.literal], color: 'var(--code-number)' },
  { tag: [tags.atom, tags.bool, tags.null], color: 'var(--code-symbol)' },
  { tag: tags.comment, color: 'var(--code-comment)' },
  { tag: [tags.bracket, tags.punctuation, tags.paren], color: 'var(--code-bracket)' },
]);

const HANGING = EditorView.decorations.of(({ state, visibleRanges }) => {
  const lines = new RangeSetBuilder<Decoration>();
  for (const { from, to } of visibleRanges) {
    for (let at = from; at <= to; ) {
      const line = state.doc.lineAt(at);
      const hang = hangOf(line.text);
      const style = `padding-left: ${hang}; text-indent: -${hang}`;
      lines.add(line.from, line.from, Decoration.line({ attributes: { style } }));
      at = line.to + 1;
    }
  }
  return lines.finish();
});

const THEME = EditorView.theme({
  '&': { color: 'var(--text)', fontSize: 'var(--size-terminal)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.5', fontVariantLigatures: 'none' },
  '.cm-content': { padding: '0', caretColor: 'var(--text)' },
  '.cm-line': { padding: '0' },
  '.cm-cursor': { borderLeftColor: 'var(--text)', borderLeftWidth: '1.5px' },
  '.cm-placeholder': { color: 'var(--text-3)' },
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground': {
    background: 'light-dark(#b9dbe6, #2c5767) !important',
  },
  '&.cm-focused .cm-matchingBracket, .cm-matchingBracket': {
    background: 'var(--ground-pressed)',
    outline: '1px solid var(--line-strong)',
  },
  '&.cm-focused .cm-nonmatchingBracket, .cm-nonmatchingBracket': { color: 'var(--bad)', background: 'none' },
  '.cm-tooltip': {
    border: '1px solid var(--line-strong)',
    borderRadius: '6px',
    background: 'var(--ground-float)',
    boxShadow: '0 6px 20px var(--shadow)',
    color: 'var(--text)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--mono)', maxHeight: '14em' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '2px 10px', lineHeight: '1.5' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    background: 'var(--ground-selected)',
    color: 'var(--text)',
  },
  '.cm-completionDetail': { color: 'var(--text-2)', fontStyle: 'normal', marginLeft: '1.5em' },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '700' },
});

/** Matches a name before the cursor: any characters but whitespace, delimiters and quotes. */
const NAME = /[^\s()[\]{}'"`,;@]+$/;

type Complete = (prefix: string) => Promise<readonly Completion[]>;

/**
 * Maximum number of rendered options. A list shows about a dozen; rendering all takes longer than a frame.
 * More are rendered on scrolling.
 */
const MOST_DRAWN = 20;

/** Completes names of the image while the user types. Requests in quick succession are combined. */
function nameCompletion(complete: Complete): Extension {
  return autocompletion({
    override: [(context) => namesFor(context, complete)],
    defaultKeymap: false,
    selectOnOpen: false,
    icons: false,
    interactionDelay: 0,
    maxRenderedOptions: MOST_DRAWN,
    // A delay below 100 ms is perceived as immediate.
    activateOnTypingDelay: 20,
  });
}

/** Skips text that cannot be a name. Without an explicit request, starts at two characters. */
async function namesFor(context: CompletionContext, complete: Complete): Promise<CompletionResult | null> {
  const typed = context.matchBefore(NAME);
  if (!typed || (!context.explicit && typed.text.length < 2) || /^[#\d]/.test(typed.text)) return null;
  const names = await complete(typed.text);
  return {
    from: typed.from,
    options: names.map(({ name, kind, arglist }) => ({ label: name, detail: arglist ?? kind })),
    validFor: /^[^\s()[\]{}'"`,;@]*$/,
  };
}
