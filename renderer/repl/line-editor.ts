/** The input line of a listener, and the effect of each key. Pure; line-screen.ts draws it. */
import type { Key, KeyName } from './terminal-keys';

/** `cursor` is an offset into `text`, between two graphemes. */
export interface Line {
  text: string;
  cursor: number;
  /** Submitted texts, oldest first. */
  history: readonly string[];
  /** The index of the recalled entry; null for a new line. Meanwhile `draft` contains the new line. */
  recalled: number | null;
  draft: string;
  /** The text that was erased last by word or to an end of the line, for `yank`. */
  erased: string;
}

export type Effect = { kind: 'submit'; text: string } | { kind: 'interrupt' } | { kind: 'clear-screen' };

export interface Edited {
  line: Line;
  effect: Effect | null;
}

export const EMPTY_LINE: Line = { text: '', cursor: 0, history: [], recalled: null, draft: '', erased: '' };

/**
 * Returns a line with the text typed into it, unless it already has that text.
 * @param line absent for a new line
 */
export function lineWith(text: string, line: Line = EMPTY_LINE): Line {
  return line.text === text ? line : { ...line, text, cursor: text.length, recalled: null, draft: '' };
}

const MAX_HISTORY = 500;
const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** Applies a key. `submit` clears the line and adds its text to the history. */
export function edit(line: Line, key: Key): Edited {
  if (key.kind === 'text') return { line: insert(line, key.text), effect: null };
  if (key.kind === 'paste') return paste(line, key.text);
  if (key.name === 'enter') return submit(line);
  if (key.name === 'interrupt') return { line: cleared(line), effect: { kind: 'interrupt' } };
  if (key.name === 'clear-screen') return { line, effect: { kind: 'clear-screen' } };
  return { line: PRESSES[key.name](line), effect: null };
}

/** Submits a block that ends with a line end. Any other block waits for Enter. */
function paste(line: Line, text: string): Edited {
  if (!text.endsWith('\n')) return { line: insert(line, text), effect: null };
  return submit(insert(line, text.replace(/\n+$/, '')));
}

function submit(line: Line): Edited {
  const { text } = line;
  const repeated = text.trim() === '' || line.history.at(-1) === text;
  const history = repeated ? line.history : [...line.history, text].slice(-MAX_HISTORY);
  return { line: { ...cleared(line), history }, effect: { kind: 'submit', text } };
}

function cleared(line: Line): Line {
  return { ...line, text: '', cursor: 0, recalled: null, draft: '' };
}

function insert(line: Line, text: string): Line {
  return replace(line, line.cursor, line.cursor, text);
}

function replace(line: Line, from: number, to: number, text: string): Line {
  return { ...line, text: line.text.slice(0, from) + text + line.text.slice(to), cursor: from + text.length };
}

function erase(line: Line, from: number, to: number): Line {
  return from === to ? line : { ...replace(line, from, to, ''), erased: line.text.slice(from, to) };
}

function before({ text, cursor }: Line): number {
  return cursor - (Array.from(graphemes.segment(text.slice(0, cursor))).at(-1)?.segment.length ?? 0);
}

/** Returns the start of the grapheme around `offset`. */
function boundary(text: string, offset: number): number {
  return graphemes.segment(text).containing(offset)?.index ?? offset;
}

function after({ text, cursor }: Line): number {
  const [next] = graphemes.segment(text.slice(cursor));
  return cursor + (next?.segment.length ?? 0);
}

/** Words are delimited as Lisp symbols are: by whitespace, parentheses and quotes. */
function wordStart({ text, cursor }: Line): number {
  return text.slice(0, cursor).search(/[^\s()[\]{}"'`,;]*[\s()[\]{}"'`,;]*$/);
}

function wordEnd({ text, cursor }: Line): number {
  const [word = ''] = /^[\s()[\]{}"'`,;]*[^\s()[\]{}"'`,;]*/.exec(text.slice(cursor)) ?? [];
  return cursor + word.length;
}

function lineStart({ text, cursor }: Line): number {
  return text.slice(0, cursor).lastIndexOf('\n') + 1;
}

function lineEnd({ text, cursor }: Line): number {
  const end = text.indexOf('\n', cursor);
  return end < 0 ? text.length : end;
}

/** Goes to the same column of the previous line. On the first line, goes to the previous history entry. */
function up(line: Line): Line {
  const start = lineStart(line);
  if (start === 0) return recall(line, -1);
  const above = lineStart({ ...line, cursor: start - 1 });
  return { ...line, cursor: boundary(line.text, Math.min(above + line.cursor - start, start - 1)) };
}

function down(line: Line): Line {
  const end = lineEnd(line);
  if (end === line.text.length) return recall(line, 1);
  const column = line.cursor - lineStart(line);
  const target = Math.min(end + 1 + column, lineEnd({ ...line, cursor: end + 1 }));
  return { ...line, cursor: boundary(line.text, target) };
}

/** Moves in the history. The draft follows the newest entry. */
function recall(line: Line, step: -1 | 1): Line {
  const at = (line.recalled ?? line.history.length) + step;
  if (at < 0 || at > line.history.length || (step > 0 && line.recalled === null)) return line;
  const draft = line.recalled === null ? line.text : line.draft;
  const text = line.history[at] ?? draft;
  return { ...line, text, cursor: text.length, recalled: at === line.history.length ? null : at, draft };
}

const PRESSES: Readonly<
  Record<Exclude<KeyName, 'enter' | 'interrupt' | 'clear-screen'>, (line: Line) => Line>
> = {
  newline: (line) => insert(line, '\n'),
  backspace: (line) => replace(line, before(line), line.cursor, ''),
  delete: (line) => replace(line, line.cursor, after(line), ''),
  left: (line) => ({ ...line, cursor: before(line) }),
  right: (line) => ({ ...line, cursor: after(line) }),
  up,
  down,
  home: (line) => ({ ...line, cursor: lineStart(line) }),
  end: (line) => ({ ...line, cursor: lineEnd(line) }),
  'word-left': (line) => ({ ...line, cursor: wordStart(line) }),
  'word-right': (line) => ({ ...line, cursor: wordEnd(line) }),
  'erase-word-left': (line) => erase(line, wordStart(line), line.cursor),
  'erase-word-right': (line) => erase(line, line.cursor, wordEnd(line)),
  'erase-to-start': (line) => erase(line, lineStart(line), line.cursor),
  'erase-to-end': (line) => erase(line, line.cursor, lineEnd(line)),
  yank: (line) => insert(line, line.erased),
  previous: (line) => recall(line, -1),
  next: (line) => recall(line, 1),
};
