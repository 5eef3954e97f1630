/**
 * The editor for a source file: the text with line numbers, states of its forms at line ends, and notes of the
 * compiler in the margin. The state of a file, with its undo history, survives while other files are shown.
 */

import { closeCompletion } from '@codemirror/autocomplete';
import { insertNewlineAndIndent } from '@codemirror/commands';
import {
  EditorSelection,
  EditorState,
  type Extension,
  Prec,
  RangeSet,
  StateEffect,
  StateField,
  type TransactionSpec,
} from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  EditorView,
  GutterMarker,
  gutter,
  highlightActiveLine,
  highlightActiveLineGutter,
  type KeyBinding,
  keymap,
  lineNumbers,
  WidgetType,
} from '@codemirror/view';
import type { Completion } from '../../electron/contract/knowledge';
import type { Dialect } from '../../electron/source/dialect';
import type { Words } from '../../electron/words/words';
import { editingKeys, lispEditing } from '../repl/lisp-editing';
import { leaveByTab } from '../repl/structural-editing';
import styles from './source-editor.module.css';

export type Severity = 'error' | 'warning' | 'style-warning' | 'note';

/** A note of the compiler about a part of the text. */
export interface TextNote {
  from: number;
  to: number;
  severity: Severity;
  message: string;
}

/** A mark at the end of the line at `at`: how the form that starts there differs from the image and from Git. */
interface StateMark {
  at: number;
  /** For the user. */
  text: string;
}

interface StateOptions {
  text: string;
  dialect: Dialect | null;
  label: string;
  /** Keys of the view, before those of the editor. */
  keys: readonly KeyBinding[];
  complete: (prefix: string, at: number) => Promise<readonly Completion[]>;
  expansion: ExpansionActions;
  /** Called for a click on a mark in the margin. */
  onMark: (line: number) => void;
}

export function sourceState(options: StateOptions): EditorState {
  return EditorState.create({ doc: options.text, extensions: extensionsOf(options) });
}

/** Returns the text as it is written to the file. */
export function textIn(state: EditorState): string {
  return state.doc.sliceString(0, state.doc.length, state.lineBreak);
}

/** Returns the change that replaces the text by another one, and keeps the cursor where the text is the same. */
export function replaceText({ doc }: EditorState, text: string): TransactionSpec {
  const before = doc.toString();
  const after = text.replaceAll('\r\n', '\n');
  let from = 0;
  while (from < before.length && before[from] === after[from]) from += 1;
  let same = 0;
  const most = Math.min(before.length, after.length) - from;
  while (same < most && before.at(-1 - same) === after.at(-1 - same)) same += 1;
  return { changes: { from, to: before.length - same, insert: after.slice(from, after.length - same) } };
}

function extensionsOf({
  text,
  dialect,
  label,
  keys,
  complete,
  expansion,
  onMark,
}: StateOptions): Extension[] {
  // A file keeps its line ends. Where they are mixed, a carriage return is a character of its line.
  const isCrlf = text.includes('\r\n') && !/(?<!\r)\n|\r(?!\n)/.test(text);
  return [
    EditorState.lineSeparator.of(isCrlf ? '\r\n' : '\n'),
    lineNumbers(),
    highlightActiveLine(),
    highlightActiveLineGutter(),
    lispEditing({
      dialect: dialect ?? 'common-lisp',
      isPlain: () => dialect === null,
      complete: (prefix, at) => (dialect === null ? Promise.resolve([]) : complete(prefix, at)),
    }),
    EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'false', autocapitalize: 'off' }),
    Prec.highest(
      keymap.of([...keys, { key: 'Escape', run: (view) => closeCompletion(view) || leaveByTab(view) }]),
    ),
    Prec.high(
      keymap.of([{ key: 'Ctrl-j', run: insertNewlineAndIndent }, ...editingKeys(dialect ?? 'common-lisp')]),
    ),
    NOTES,
    STATES,
    expansions(expansion),
    gutter({
      class: 'cm-note-gutter',
      markers: (view) => view.state.field(NOTES).gutter,
      domEventHandlers: {
        mousedown: (view, line) => {
          onMark(view.state.doc.lineAt(line.from).number);
          return true;
        },
      },
    }),
    THEME,
  ];
}

// Notes: an underline, the message at the end of the line, and a mark in the margin.

export const setNotes = StateEffect.define<readonly TextNote[]>();

interface ShownNotes {
  notes: readonly TextNote[];
  decorations: DecorationSet;
  gutter: RangeSet<GutterMarker>;
}

/** The notes, which move with the text. A note whose text is deleted is removed. */
const NOTES = StateField.define<ShownNotes>({
  create: () => ({ notes: [], decorations: Decoration.none, gutter: RangeSet.empty }),
  update(before, transaction) {
    const set = transaction.effects.find((effect) => effect.is(setNotes));
    if (set) return shownNotes(set.value, transaction.state);
    if (!transaction.docChanged || before.notes.length === 0) return before;
    const { changes } = transaction;
    const moved = before.notes
      .map((note) => ({ ...note, from: changes.mapPos(note.from, 1), to: changes.mapPos(note.to, -1) }))
      .filter(({ from, to }) => from < to);
    return shownNotes(moved, transaction.state);
  },
  provide: (field) => EditorView.decorations.from(field, ({ decorations }) => decorations),
});

export function notesIn(state: EditorState): readonly TextNote[] {
  return state.field(NOTES).notes;
}

function shownNotes(notes: readonly TextNote[], { doc }: EditorState): ShownNotes {
  const sorted = notes
    .filter(({ from, to }) => from < to && to <= doc.length)
    .toSorted((one, other) => one.from - other.from);
  const marks = sorted.map(({ from, to, severity }) =>
    Decoration.mark({ class: styles.noted ?? '', attributes: { 'data-severity': severity } }).range(from, to),
  );
  const messages = sorted.map((note) =>
    Decoration.widget({ widget: new NoteText(note), side: 1 }).range(doc.lineAt(note.from).to),
  );
  const worst = new Map<number, Severity>();
  for (const { from, severity } of sorted) {
    const line = doc.lineAt(from).from;
    const known = worst.get(line);
    if (known === undefined || RANK[severity] < RANK[known]) worst.set(line, severity);
  }
  return {
    notes: sorted,
    decorations: Decoration.set([...marks, ...messages], true),
    gutter: RangeSet.of([...worst].map(([line, severity]) => new NoteMark(severity).range(line))),
  };
}

const RANK: Readonly<Record<Severity, number>> = { error: 0, warning: 1, 'style-warning': 2, note: 3 };

/** The first line of a note, at the end of its line of code. */
class NoteText extends WidgetType {
  readonly #note: TextNote;

  constructor(note: TextNote) {
    super();
    this.#note = note;
  }

  override eq(other: NoteText): boolean {
    return other.#note.message === this.#note.message && other.#note.severity === this.#note.severity;
  }

  override toDOM(): HTMLElement {
    const element = document.createElement('span');
    element.className = styles.aside ?? '';
    element.dataset.severity = this.#note.severity;
    element.lang = 'en';
    element.textContent = this.#note.message.split('\n', 1)[0] ?? '';
    element.title = this.#note.message;
    return element;
  }
}

/** Paths of lucide's icons for a circle with a cross, a triangle, and a square. */
const SHAPES: Readonly<Record<Severity, string>> = {
  error: 'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2M6 6l4 4M10 6l-4 4',
  warning: 'M8 2.5 1.8 13.5h12.4L8 2.5M8 6.5v3.2M8 11.7v.1',
  'style-warning': 'M8 3 2.8 13h10.4L8 3',
  note: 'M4.5 4.5h7v7h-7z',
};

class NoteMark extends GutterMarker {
  readonly #severity: Severity;

  constructor(severity: Severity) {
    super();
    this.#severity = severity;
  }

  override eq(other: NoteMark): boolean {
    return other.#severity === this.#severity;
  }

  override toDOM(): Node {
    const drawing = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
    const shape = document.createElementNS('http://www.w3.org/2000/svg', 'path');
    drawing.setAttribute('viewBox', '0 0 16 16');
    drawing.setAttribute('class', styles.mark ?? '');
    drawing.dataset.severity = this.#severity;
    shape.setAttribute('d', SHAPES[this.#severity]);
    drawing.append(shape);
    return drawing;
  }
}

// States of forms, at the end of their first line. They say only where image, file and Git differ.

export const setStates = StateEffect.define<readonly StateMark[]>();

const STATES = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(before, transaction) {
    const set = transaction.effects.find((effect) => effect.is(setStates));
    if (!set) return before.map(transaction.changes);
    const { doc } = transaction.state;
    const marks = set.value.filter(({ at }) => at <= doc.length);
    return Decoration.set(
      marks.map((mark) =>
        Decoration.widget({ widget: new StateText(mark), side: 2 }).range(doc.lineAt(mark.at).to),
      ),
      true,
    );
  },
  provide: (field) => EditorView.decorations.from(field),
});

class StateText extends WidgetType {
  readonly #mark: StateMark;

  constructor(mark: StateMark) {
    super();
    this.#mark = mark;
  }

  override eq(other: StateText): boolean {
    return other.#mark.text === this.#mark.text;
  }

  override toDOM(): HTMLElement {
    const element = document.createElement('span');
    element.className = styles.aside ?? '';
    element.textContent = this.#mark.text;
    return element;
  }
}

// The expansion of a macro form, below the line where the form ends.

/** An expansion, and the offset at which its form ends. */
export interface ShownExpansion {
  at: number;
  text: string;
}

export const setExpansion = StateEffect.define<ShownExpansion | null>();

interface ExpansionActions {
  words: () => Words['source'];
  /** Expands the shown expansion further. */
  expand: (shown: ShownExpansion, extent: 'once' | 'full') => void;
  close: () => void;
}

function expansions(actions: ExpansionActions): Extension {
  return StateField.define<DecorationSet>({
    create: () => Decoration.none,
    update(before, transaction) {
      const set = transaction.effects.find((effect) => effect.is(setExpansion));
      if (!set) return before.map(transaction.changes);
      if (set.value === null) return Decoration.none;
      const { doc } = transaction.state;
      const at = doc.lineAt(Math.min(set.value.at, doc.length)).to;
      const widget = new ExpansionBlock(set.value, actions);
      return Decoration.set([Decoration.widget({ widget, block: true, side: 3 }).range(at)]);
    },
    provide: (field) => EditorView.decorations.from(field),
  });
}

class ExpansionBlock extends WidgetType {
  readonly #shown: ShownExpansion;
  readonly #actions: ExpansionActions;

  constructor(shown: ShownExpansion, actions: ExpansionActions) {
    super();
    this.#shown = shown;
    this.#actions = actions;
  }

  override eq(other: ExpansionBlock): boolean {
    return other.#shown.text === this.#shown.text && other.#shown.at === this.#shown.at;
  }

  override toDOM(): HTMLElement {
    const { expand, close } = this.#actions;
    const words = this.#actions.words();
    const block = document.createElement('section');
    block.className = styles.expansion ?? '';
    block.setAttribute('aria-label', words.expansion);
    const code = document.createElement('pre');
    code.textContent = this.#shown.text;
    block.append(
      code,
      this.#button(words.expandOnce, () => expand(this.#shown, 'once')),
      this.#button(words.expandAll, () => expand(this.#shown, 'full')),
      this.#button(words.closeExpansion, close),
    );
    return block;
  }

  #button(label: string, press: () => void): HTMLElement {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = label;
    button.addEventListener('click', press);
    return button;
  }

  /** The buttons are no part of the text. */
  override ignoreEvent(): boolean {
    return true;
  }
}

/** Selects a range, scrolls to it and takes the focus. */
export function reveal(view: EditorView, from: number, to = from): void {
  const { length } = view.state.doc;
  const [start, end] = [Math.min(from, length), Math.min(to, length)];
  view.dispatch({
    selection: EditorSelection.single(start, end),
    effects: EditorView.scrollIntoView(start, { y: 'center' }),
  });
  view.focus();
}

const THEME = EditorView.theme({
  '&': { height: '100%' },
  '.cm-scroller': { overflow: 'auto', lineHeight: '20px' },
  '.cm-content': { padding: '8px 0 40vh' },
  '.cm-line': { padding: '0 40px 0 4px' },
  '.cm-gutters': { border: '0', background: 'var(--ground)', color: 'var(--text-3)' },
  '.cm-lineNumbers .cm-gutterElement': {
    minWidth: '44px',
    padding: '0 4px 0 8px',
    fontSize: 'var(--size-label)',
  },
  '.cm-activeLine, .cm-activeLineGutter': { background: 'var(--ground-sunk)' },
  '.cm-activeLineGutter': { color: 'var(--text)' },
  '.cm-note-gutter': { width: '18px', cursor: 'pointer' },
});
