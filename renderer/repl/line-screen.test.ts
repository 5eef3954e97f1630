/** Screen contents after the writes of the line screen, on a simulated terminal. */
import { describe, expect, it } from 'vitest';
import { codePointWidth, LineScreen } from './line-screen';

/** A control sequence with its parameter, or a character. */
const WRITTEN = new RegExp(`${'\x1b'}\\[(\\d*)([A-Za-z])|([\\s\\S])`, 'gu');

/** A grid of cells with a cursor and deferred wrapping, as in terminals since the VT100. */
class TinyTerminal {
  readonly #columns: number;
  #rows: string[][] = [[]];
  row = 0;
  column = 0;

  constructor(columns: number) {
    this.#columns = columns;
  }

  get text(): string {
    return this.#rows.map((row) => row.join('').trimEnd()).join('\n');
  }

  write(data: string): void {
    for (const [, count, command, character = ''] of data.matchAll(WRITTEN)) {
      if (command) this.#control(command, Number(count || 1), count ?? '');
      else if (character === '\r') this.column = 0;
      else if (character === '\n') this.#down();
      else this.#put(character);
    }
  }

  #control(command: string, count: number, given: string): void {
    if (command === 'A') this.row = Math.max(0, this.row - count);
    if (command === 'C') this.column = Math.min(this.#columns - 1, this.column + count);
    if (command === 'H') {
      this.row = 0;
      this.column = 0;
    }
    if (command === 'K' || (command === 'J' && given === '')) this.#current().length = this.column;
    if (command === 'J' && given === '') this.#rows.length = this.row + 1;
    if (command === 'J' && given === '2') this.#rows = [[]];
  }

  #put(character: string): void {
    const width = codePointWidth(character.codePointAt(0) ?? 0);
    if (this.column + width > this.#columns) {
      this.column = 0;
      this.#down();
    }
    const row = this.#current();
    while (row.length < this.column) row.push(' ');
    if (width === 0) row[this.column - 1] += character;
    else row[this.column] = character;
    if (width === 2) row[this.column + 1] = '';
    this.column += width;
  }

  #down(): void {
    this.row += 1;
    this.#current();
  }

  #current(): string[] {
    while (this.#rows.length <= this.row) this.#rows.push([]);
    return this.#rows[this.row] ?? [];
  }
}

function start(columns = 20) {
  const screen = new LineScreen(columns);
  const terminal = new TinyTerminal(columns);
  const type = (text: string, cursor = text.length) => terminal.write(screen.type({ text, cursor }));
  const output = (text: string) => terminal.write(screen.output(text));
  return { screen, terminal, type, output };
}

describe('the typed line', () => {
  it('is shown after the prompt, with the cursor in place', () => {
    const { terminal, type, output } = start();
    output('* ');
    type('(+ 1 2)', 3);
    expect(terminal.text).toBe('* (+ 1 2)');
    expect([terminal.row, terminal.column]).toEqual([0, 5]);
  });

  it('wraps, shrinks again and leaves no residue', () => {
    const { terminal, type, output } = start(10);
    output('* ');
    type('abcdefghijklmnop', 2);
    expect(terminal.text).toBe('* abcdefgh\nijklmnop');
    expect([terminal.row, terminal.column]).toEqual([0, 4]);
    type('ab');
    expect(terminal.text).toBe('* ab');
    expect([terminal.row, terminal.column]).toEqual([0, 4]);
  });

  it('moves the cursor to the next row when a row is full', () => {
    const { terminal, type, output } = start(10);
    output('* ');
    type('abcdefgh');
    expect([terminal.row, terminal.column]).toEqual([1, 0]);
    type('abcdefghi');
    expect(terminal.text).toBe('* abcdefgh\ni');
    type('abcdefg');
    expect(terminal.text).toBe('* abcdefg');
  });

  it('counts wide characters as two cells and never splits one', () => {
    const { terminal, type, output } = start(7);
    output('* ');
    type('日本語', 1);
    expect(terminal.text).toBe('* 日本\n語');
    expect([terminal.row, terminal.column]).toEqual([0, 4]);
    type('日');
    expect(terminal.text).toBe('* 日');
  });

  it('shows a multi-line block, which stays after it was submitted', () => {
    const { screen, terminal, type, output } = start();
    output('* ');
    type('(list 1\n  2)', 0);
    expect([terminal.row, terminal.column]).toEqual([0, 2]);
    terminal.write(screen.submit('(list 1\n  2)'));
    output('(1 2)\n* ');
    expect(terminal.text).toBe('* (list 1\n  2)\n(1 2)\n*');
  });
});

describe('output', () => {
  it('is shown above an unfinished input line, which retains its prompt', () => {
    const { terminal, type, output } = start();
    output('* ');
    type('(foo');
    output('from elsewhere\n');
    expect(terminal.text).toBe('from elsewhere\n* (foo');
    expect([terminal.row, terminal.column]).toEqual([1, 6]);
  });

  it('continues an unfinished output line above typed-ahead input', () => {
    const { screen, terminal, type, output } = start();
    output('* ');
    terminal.write(screen.submit('(f)'));
    output('ab');
    type('next');
    expect(terminal.text).toBe('* (f)\nabnext');
    output('cd\n* ');
    expect(terminal.text).toBe('* (f)\nabcd\n* next');
  });

  it('keeps a long unfinished line, row by row', () => {
    const { terminal, type, output } = start(10);
    for (const part of ['0123456', '789012', '34567890123', '4']) output(part);
    type('x');
    expect(terminal.text).toBe('0123456789\n0123456789\n01234x');
  });

  it('overwrites an unfinished line after a carriage return', () => {
    const { terminal, output } = start();
    output('10 %\r');
    output('20 %\r');
    output('done\n');
    output('crlf\r');
    output('\nend');
    expect(terminal.text).toBe('done\ncrlf\nend');
  });

  it('retains colors and drops all other control sequences, also split ones', () => {
    const { screen } = start();
    const written =
      screen.output('\x1b[31mred\x1b[0m\x1b[2J\x1b]52;c;YQ==\x07\x1b[6n\x1b') + screen.output('[2Jend\n');
    expect(written).toContain('\x1b[31mred\x1b[0m');
    expect(written).toContain('end');
    for (const forbidden of ['\x1b[2J', '\x1b]', '\x1b[6n', '\x07']) expect(written).not.toContain(forbidden);
  });
});

describe('the screen', () => {
  it('is cleared except for the prompt and the line', () => {
    const { screen, terminal, type, output } = start();
    output('old\n* ');
    type('(foo', 1);
    terminal.write(screen.clear());
    expect(terminal.text).toBe('* (foo');
    expect([terminal.row, terminal.column]).toEqual([0, 3]);
  });

  it('recognizes the prompts of the engines', () => {
    for (const prompt of ['* ', '0] ', 'ACL2 !>', 'ACL2 p!>', 'user=> ', 'my.app=> ']) {
      const { screen, output } = start();
      output(`value\n${prompt}`);
      expect(screen.atPrompt, prompt).toBe(true);
    }
    for (const other of ['', 'some words ', '42', 'a > b']) {
      const { screen, output } = start();
      output(`value\n${other}`);
      expect(screen.atPrompt, other).toBe(false);
    }
  });
});
