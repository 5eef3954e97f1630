/**
 * The parts that all editors of Lisp share: highlighting, structural editing, indentation, completion and the keys
 * of Emacs and readline.
 */

import {
  acceptCompletion,
  autocompletion,
  type CompletionContext,
  type CompletionResult,
  closeBracketsKeymap,
  completionStatus,
  moveCompletionSelection,
  selectedCompletion,
  startCompletion,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentSelection } from '@codemirror/commands';
import {
  bracketMatching,
  HighlightStyle,
  indentService,
  StreamLanguage,
  syntaxHighlighting,
} from '@codemirror/language';
import { clojure } from '@codemirror/legacy-modes/mode/clojure';
import { commonLisp } from '@codemirror/legacy-modes/mode/commonlisp';
import { EditorState, type Extension, RangeSetBuilder } from '@codemirror/state';
import { Decoration, drawSelection, EditorView, type KeyBinding, keymap } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import type { Completion } from '../../electron/contract/knowledge';
import type { Dialect } from '../../electron/source/dialect';
import { hangOf } from '../parts/code';
import {
  barf,
  closing,
  columnAfter,
  endOfForm,
  endOfLine,
  killForm,
  moveTo,
  moveToBoundary,
  raise,
  type StructuralEdit,
  slurp,
  splice,
  startOfForm,
  transpose,
  wrap,
} from './structural-editing';

interface LispEditing {
  dialect: Dialect;
  /** Reports whether the text is not Lisp, such as a line for code that reads. */
  isPlain: () => boolean;
  complete: Complete;
}

export function lispEditing({ dialect, isPlain, complete }: LispEditing): Extension {
  return [
    history(),
    drawSelection({ cursorBlinkRate: 0 }),
    EditorState.allowMultipleSelections.of(true),
    LANGUAGES[dialect],
    syntaxHighlighting(MARKS),
    bracketMatching({ brackets: '()[]{}' }),
    closing(dialect, isPlain),
    indentService.of((context, at) => {
      // For an existing line, the preceding newline does not count.
      const end = context.simulatedBreak === at ? at : Math.max(0, at - 1);
      return columnAfter(recentText(context.state, end), dialect);
    }),
    nameCompletion(complete),
    keymap.of([...closeBracketsKeymap, ...historyKeymap, ...defaultKeymap]),
    THEME,
  ];
}

/** Longest text whose indentation is computed whole, in characters. */
const LONGEST_INDENTED = 40_000;

/** Returns the text before an offset; of a long one, the part from a form at the start of a line. */
function recentText({ doc }: EditorState, end: number): string {
  const text = doc.sliceString(Math.max(0, end - LONGEST_INDENTED), end);
  return end <= LONGEST_INDENTED ? text : text.slice(text.indexOf('\n(') + 1);
}

/** The keys of Emacs and readline, which take precedence over shortcuts of the window. */
export function editingKeys(dialect: Dialect): KeyBinding[] {
  let killed = '';
  const kill = (view: EditorView, to: number, remembers = true): boolean => {
    const { head } = view.state.selection.main;
    const [from, end] = [Math.min(head, to), Math.max(head, to)];
    if (remembers && end > from) killed = view.state.sliceDoc(from, end);
    view.dispatch({ changes: { from, to: end }, userEvent: 'delete' });
    return true;
  };
  const yank = (view: EditorView): boolean => {
    view.dispatch(view.state.replaceSelection(killed));
    return true;
  };
  const structural = (edit: StructuralEdit) => (view: EditorView) => {
    const done = edit(view.state.doc.toString(), view.state.selection.main.head, dialect);
    if (done)
      view.dispatch({
        changes: [...done.changes],
        selection: { anchor: done.cursor },
        userEvent: 'input.structure',
      });
    return true;
  };
  const overForm = (find: typeof endOfForm) => (view: EditorView) => {
    const to = find(view.state.doc.toString(), view.state.selection.main.head, dialect);
    return to === null || moveTo(view, to);
  };
  const byCharacter = (view: EditorView, forward: boolean) =>
    view.moveByChar(view.state.selection.main, forward).head;
  const byWord = (view: EditorView, forward: boolean) =>
    view.moveByGroup(view.state.selection.main, forward).head;
  return [
    { key: 'Tab', run: completeOrIndent },
    { key: 'Shift-Tab', run: indentSelection },
    { key: 'Ctrl-a', run: (view) => moveToBoundary(view, false) },
    { key: 'Ctrl-e', run: (view) => moveToBoundary(view, true) },
    { key: 'Ctrl-f', run: (view) => moveTo(view, byCharacter(view, true)) },
    { key: 'Ctrl-b', run: (view) => moveTo(view, byCharacter(view, false)) },
    { key: 'Alt-f', run: (view) => moveTo(view, byWord(view, true)) },
    { key: 'Alt-b', run: (view) => moveTo(view, byWord(view, false)) },
    { key: 'Ctrl-d', run: (view) => kill(view, byCharacter(view, true), false) },
    { key: 'Ctrl-k', run: (view) => kill(view, endOfLine(view)) },
    { key: 'Ctrl-u', run: (view) => kill(view, view.state.doc.lineAt(view.state.selection.main.head).from) },
    { key: 'Ctrl-w', run: (view) => kill(view, byWord(view, false)) },
    { key: 'Alt-d', run: (view) => kill(view, byWord(view, true)) },
    { key: 'Ctrl-y', run: yank },
    { key: 'Ctrl-ArrowRight', run: structural(slurp) },
    { key: 'Ctrl-ArrowLeft', run: structural(barf) },
    { key: 'Alt-(', run: structural(wrap) },
    { key: 'Alt-r', run: structural(raise) },
    { key: 'Alt-s', run: structural(splice) },
    { key: 'Ctrl-Alt-t', run: structural(transpose) },
    { key: 'Ctrl-Alt-k', run: structural(killForm) },
    { key: 'Ctrl-Alt-f', run: overForm(endOfForm) },
    { key: 'Ctrl-Alt-b', run: overForm(startOfForm) },
  ];
}

function completeOrIndent(view: EditorView): boolean {
  if (completionStatus(view.state) === 'active') {
    if (selectedCompletion(view.state) === null) moveCompletionSelection(true)(view);
    return acceptCompletion(view);
  }
  const { head, empty } = view.state.selection.main;
  const line = view.state.doc.lineAt(head);
  const before = line.text.slice(0, head - line.from);
  return empty && NAME.test(before) ? startCompletion(view) : indentSelection(view) || true;
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

export const HANGING = EditorView.decorations.of(({ state, visibleRanges }) => {
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

/** Returns names that begin with the text before an offset. */
type Complete = (prefix: string, at: number) => Promise<readonly OfferedName[]>;

/** A completion. Names that are used more often in the text come first. */
export type OfferedName = Completion & { uses?: number };

/**
 * Maximum number of rendered options. A list shows about a dozen; rendering all takes longer than a frame.
 * More are rendered on scrolling.
 */
const MOST_DRAWN = 20;

/** The largest boost that CodeMirror accepts. */
const MOST_BOOST = 99;

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
  const names = await complete(typed.text, context.pos);
  return {
    from: typed.from,
    options: names.map(({ name, kind, arglist, uses = 0 }) => ({
      ...{ label: name, detail: arglist ?? kind },
      boost: Math.min(uses, MOST_BOOST),
    })),
    validFor: /^[^\s()[\]{}'"`,;@]*$/,
  };
}
