/**
 * Draws a listener's output with the input line below it. Methods return what to write to a terminal. The
 * last block consists of the unfinished last line of output, usually the prompt, and the typed text. Each
 * change redraws it from its first row, so that the cursor position need not be queried. Pure.
 */

interface Typed {
  text: string;
  cursor: number;
}

interface Position {
  row: number;
  column: number;
}

const ESC = '\x1b';
const PLAIN = `${ESC}[0m`;
const CLEAR_BELOW = `${ESC}[J`;
const CLEAR_ALL = `${ESC}[2J${ESC}[3J${ESC}[H`;
const CLEAR_ROW = `${ESC}[K`;
const COLOUR = new RegExp(`${ESC}\\[[0-9;]*m`, 'g');
/**
 * Control sequences other than colors. They are removed, because an image must not control the window's
 * terminal.
 */
const FORBIDDEN = new RegExp(
  [
    `${ESC}\\[(?![0-9;]*m)[0-?]*[ -/]*[@-~]`,
    `${ESC}[\\]P^_X][^\\x07${ESC}]*(?:\\x07|${ESC}\\\\)`,
    `${ESC}(?!\\[[0-9;]*m)`,
    `(?![\\n\\r${ESC}])\\p{Cc}`,
  ].join('|'),
  'gu',
);
/** An incomplete control sequence at the end of a piece of output. */
const UNFINISHED = new RegExp(`${ESC}(?:\\[[0-9;?]*|[\\]P^_X][^\\x07${ESC}]{0,4096})?$`);
/** Prompts of the engines: `* `, `0] `, `user=> `, `ACL2 !>`. */
const PROMPT = /^(?:\* |\d+\] |\S+=> ?|\S+ [a-z]{0,4}!?>)$/;
const TAB = '    ';

export class LineScreen {
  #columns: number;
  #tail = '';
  #pending = '';
  /** Whether the output ended with a carriage return, so that the next output overwrites the last line. */
  #returned = false;
  #typed: Typed = { text: '', cursor: 0 };
  /** The row of the cursor, counted from the first row of the block. */
  #row = 0;

  constructor(columns: number) {
    this.#columns = columns;
  }

  /** Reports whether the last line of output looks like a prompt. */
  get atPrompt(): boolean {
    return PROMPT.test(this.#tail.replace(COLOUR, ''));
  }

  /** Inserts output above the typed text. An unfinished input line retains its prompt. */
  output(text: string): string {
    const shown = this.#withoutControls(text.replaceAll('\t', TAB));
    const retainsPrompt = this.#typed.text !== '' && this.atPrompt && shown.endsWith('\n');
    const content = retainsPrompt || this.#overwritten(shown) ? shown : this.#tail + shown;
    this.#returned = content.endsWith('\r');
    const end = content.lastIndexOf('\n') + 1;
    const { finished, tail } = splitLastRow(content.slice(end).replace(/\r+$/, ''), this.#columns);
    if (!retainsPrompt) this.#tail = tail;
    const above = (content.slice(0, end) + finished).replace(/\r?\n/g, '\r\n');
    return this.#toStart() + above + this.#block();
  }

  /** Called when the typed text or its cursor changes. */
  type(typed: Typed): string {
    this.#typed = typed;
    return this.#toStart() + this.#block();
  }

  /** Leaves the submitted `text` in place and starts a new line below it. */
  submit(text: string): string {
    const drawn = this.type({ text, cursor: text.length });
    this.#tail = '';
    this.#typed = { text: '', cursor: 0 };
    this.#row = 0;
    return `${drawn}\r\n`;
  }

  /** Clears the screen and draws the block at the top. */
  clear(): string {
    this.#row = 0;
    return CLEAR_ALL + this.#block();
  }

  /** Called when the width changes. The terminal does not reflow the rows of the cursor's line. */
  resize(columns: number): string {
    this.#columns = columns;
    return this.#toStart() + this.#block();
  }

  #overwritten(shown: string): boolean {
    return this.#returned && !shown.startsWith('\n');
  }

  #withoutControls(text: string): string {
    const all = this.#pending + text;
    this.#pending = UNFINISHED.exec(all)?.[0] ?? '';
    return all.slice(0, all.length - this.#pending.length).replace(FORBIDDEN, '');
  }

  #toStart(): string {
    return `${up(this.#row)}\r${CLEAR_BELOW}`;
  }

  #block(): string {
    const { text, cursor } = this.#typed;
    const shown = (part: string) => part.replaceAll('\t', TAB);
    const all = this.#tail + PLAIN + shown(text);
    const end = positionAfter(all, this.#columns);
    const at = positionAfter(this.#tail + shown(text.slice(0, cursor)), this.#columns);
    this.#row = at.row;
    // After a full last row the terminal defers wrapping. A space forces it, so that rows can be counted.
    const wrapped = end.column === 0 && !all.endsWith('\n') && end.row > 0 ? ` \r${CLEAR_ROW}` : '';
    const right = at.column > 0 ? `${ESC}[${at.column}C` : '';
    return `${all.replaceAll('\n', '\r\n')}${wrapped}${up(end.row - at.row)}\r${right}`;
  }
}

function up(rows: number): string {
  return rows > 0 ? `${ESC}[${rows}A` : '';
}

/** Returns the cursor position after `text` is drawn from the first column of a row. */
function positionAfter(text: string, columns: number): Position {
  let row = 0;
  let column = 0;
  for (const character of text.replace(COLOUR, '')) {
    const width = character === '\n' ? 0 : codePointWidth(character.codePointAt(0) ?? 0);
    if (character === '\n' || column + width > columns) {
      row += 1;
      column = 0;
    }
    column += width;
  }
  return column === columns ? { row: row + 1, column: 0 } : { row, column };
}

/** Splits a long unfinished line at its last row, because full rows need not be redrawn. */
function splitLastRow(line: string, columns: number): { finished: string; tail: string } {
  const text = line.slice(line.lastIndexOf('\r') + 1);
  if (text.length <= columns / 2) return { finished: '', tail: text };
  const plain = text.replace(COLOUR, '');
  let column = 0;
  let start = 0;
  let at = 0;
  for (const character of plain) {
    const width = codePointWidth(character.codePointAt(0) ?? 0);
    if (column + width > columns) {
      start = at;
      column = 0;
    }
    column += width;
    at += character.length;
  }
  return start === 0
    ? { finished: '', tail: text }
    : { finished: plain.slice(0, start), tail: plain.slice(start) };
}

// Cell widths of characters. The terminal and the input line share this table, so that they agree.

/** Code points with a width of two cells: East Asian wide and fullwidth, from Unicode's EastAsianWidth. */
const WIDE: readonly (readonly [first: number, last: number])[] = [
  [0x1100, 0x115f],
  [0x2329, 0x232a],
  [0x2e80, 0x303e],
  [0x3041, 0x4dbf],
  [0x4e00, 0xa4cf],
  [0xa960, 0xa97f],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe10, 0xfe19],
  [0xfe30, 0xfe6f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x17000, 0x18cff],
  [0x1b000, 0x1b2ff],
  [0x20000, 0x3fffd],
];

const ZERO = /^[\p{Mn}\p{Me}\p{Cf}\u1160-\u11ff]$/u;
const EMOJI = /^\p{Emoji_Presentation}$/u;

/** Returns the width of a code point in cells: 0 for combining marks, 2 for wide characters. */
export function codePointWidth(codePoint: number): 0 | 1 | 2 {
  if (codePoint < 0x300) return codePoint === 0xad ? 0 : 1;
  const character = String.fromCodePoint(codePoint);
  if (ZERO.test(character)) return 0;
  if (EMOJI.test(character)) return 2;
  return WIDE.some(([first, last]) => codePoint >= first && codePoint <= last) ? 2 : 1;
}
