/**
 * Draws a listener's output, and below it the line that is being typed: answers what to write to a terminal. The block
 * at the end is the unfinished last line of output, mostly the prompt, with the typed text. Every change draws the block
 * anew from its first row, so that nobody has to ask the terminal where it is. Pure.
 */
import { codePointWidth } from './char-width';

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
/** Control sequences that change more than colour: an image has no terminal to address, and must not get ours. */
const FORBIDDEN = new RegExp(
  [
    `${ESC}\\[(?![0-9;]*m)[0-?]*[ -/]*[@-~]`,
    `${ESC}[\\]P^_X][^\\x07${ESC}]*(?:\\x07|${ESC}\\\\)`,
    `${ESC}(?!\\[[0-9;]*m)`,
    `(?![\\n\\r${ESC}])\\p{Cc}`,
  ].join('|'),
  'gu',
);
/** A sequence that the next output may finish. */
const UNFINISHED = new RegExp(`${ESC}(?:\\[[0-9;?]*|[\\]P^_X][^\\x07${ESC}]{0,4096})?$`);
/** `* `, `0] `, `user=> `, `ACL2 !>`: what the engines' listeners show. */
const PROMPT = /^(?:\* |\d+\] |\S+=> ?|\S+ [a-z]{0,4}!?>)$/;
const TAB = '    ';

export class LineScreen {
  #columns: number;
  #tail = '';
  #held = '';
  /** The output ended with a carriage return: what comes next takes the place of its last line. */
  #returned = false;
  #typed: Typed = { text: '', cursor: 0 };
  /** The row in which the cursor was left, counted from the first row of the block. */
  #row = 0;

  constructor(columns: number) {
    this.#columns = columns;
  }

  /** Whether what the listener shows looks like its prompt. */
  get atPrompt(): boolean {
    return PROMPT.test(this.#tail.replace(COLOUR, ''));
  }

  /** Output appears above the typed text; the prompt of a line that was begun stays with it. */
  output(text: string): string {
    const shown = this.#withoutControls(text.replaceAll('\t', TAB));
    const keepsPrompt = this.#typed.text !== '' && this.atPrompt && shown.endsWith('\n');
    const content = keepsPrompt || this.#overwritten(shown) ? shown : this.#tail + shown;
    this.#returned = content.endsWith('\r');
    const end = content.lastIndexOf('\n') + 1;
    const { finished, tail } = splitLastRow(content.slice(end).replace(/\r+$/, ''), this.#columns);
    if (!keepsPrompt) this.#tail = tail;
    const above = (content.slice(0, end) + finished).replace(/\r?\n/g, '\r\n');
    return this.#toStart() + above + this.#block();
  }

  /** The typed text has changed, or its cursor has moved. */
  type(typed: Typed): string {
    this.#typed = typed;
    return this.#toStart() + this.#block();
  }

  /** Leaves `text` standing as it was submitted and begins a new line below it. */
  submit(text: string): string {
    const drawn = this.type({ text, cursor: text.length });
    this.#tail = '';
    this.#typed = { text: '', cursor: 0 };
    this.#row = 0;
    return `${drawn}\r\n`;
  }

  /** An empty terminal with the block at its top. */
  clear(): string {
    this.#row = 0;
    return CLEAR_ALL + this.#block();
  }

  /** The terminal has another width; its own reflow leaves the rows of the cursor's line alone. */
  resize(columns: number): string {
    this.#columns = columns;
    return this.#toStart() + this.#block();
  }

  #overwritten(shown: string): boolean {
    return this.#returned && !shown.startsWith('\n');
  }

  #withoutControls(text: string): string {
    const all = this.#held + text;
    this.#held = UNFINISHED.exec(all)?.[0] ?? '';
    return all.slice(0, all.length - this.#held.length).replace(FORBIDDEN, '');
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
    // A full last row leaves the terminal waiting to wrap; a space makes it wrap, so that rows can be counted.
    const wrapped = end.column === 0 && !all.endsWith('\n') && end.row > 0 ? ` \r${CLEAR_ROW}` : '';
    const right = at.column > 0 ? `${ESC}[${at.column}C` : '';
    return `${all.replaceAll('\n', '\r\n')}${wrapped}${up(end.row - at.row)}\r${right}`;
  }
}

function up(rows: number): string {
  return rows > 0 ? `${ESC}[${rows}A` : '';
}

/** Where the cursor stands after `text` was drawn from the first column of a row. */
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

/** Cuts a long unfinished line at its last row: rows that are full need no drawing again. */
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
