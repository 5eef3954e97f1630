/** Keys of the input line of a listener. */
import { describe, expect, it } from 'vitest';
import { type Effect, EMPTY_LINE, edit, type Line } from './line-editor';
import { decodeKeys } from './terminal-keys';

const UP = '\x1b[A';
const DOWN = '\x1b[B';
const RIGHT = '\x1b[C';
const LEFT = '\x1b[D';

/** Types terminal input into a line. Returns the line and the requested actions. */
function type(data: string, from: Line = EMPTY_LINE): { line: Line; effects: Effect[]; shown: string } {
  let line = from;
  const effects: Effect[] = [];
  for (const key of decodeKeys(data)) {
    const edited = edit(line, key);
    line = edited.line;
    if (edited.effect) effects.push(edited.effect);
  }
  const shown = `${line.text.slice(0, line.cursor)}|${line.text.slice(line.cursor)}`;
  return { line, effects, shown };
}

describe('editing', () => {
  it('inserts at the cursor', () => {
    expect(type(`ac${LEFT}b`).shown).toBe('ab|c');
  });

  it('moves to the ends with Home and End in every form and with Ctrl+A and Ctrl+E', () => {
    for (const home of ['\x1b[H', '\x1bOH', '\x1b[1~', '\x01']) expect(type(`abc${home}`).shown).toBe('|abc');
    for (const end of ['\x1b[F', '\x1bOF', '\x1b[4~', '\x05']) {
      expect(type(`abc\x01${end}`).shown).toBe('abc|');
    }
  });

  it('erases one character to either side', () => {
    expect(type('abc\x7f').shown).toBe('ab|');
    expect(type('abc\x01\x1b[3~').shown).toBe('|bc');
    expect(type('\x7f\x1b[3~').shown).toBe('|');
  });

  it('treats a grapheme as one character', () => {
    expect(type(`a👩‍👧e\u0301${LEFT}`).shown).toBe('a👩‍👧|e\u0301');
    expect(type('a👩‍👧e\u0301\x7f\x7f').shown).toBe('a|');
    expect(type(`日本${LEFT}${LEFT}${RIGHT}`).shown).toBe('日|本');
  });

  it('moves by Lisp words', () => {
    expect(type('(my-fn *foo*)\x1bb').shown).toBe('(my-fn |*foo*)');
    expect(type('(my-fn *foo*)\x1b[1;5D\x1b[1;5D').shown).toBe('(|my-fn *foo*)');
    expect(type('(my-fn *foo*)\x01\x1bf').shown).toBe('(my-fn| *foo*)');
  });

  it('erases words and to the ends, and yanks what it erased last', () => {
    expect(type('(car xs)\x17').shown).toBe('(car |');
    expect(type('(car xs)\x01\x1bd').shown).toBe('| xs)');
    expect(type(`abc${LEFT}\x15`).shown).toBe('|c');
    expect(type(`abc${LEFT}\x0b`).shown).toBe('ab|');
    expect(type(`abc${LEFT}\x0b\x01\x19`).shown).toBe('c|ab');
  });
});

describe('submitting', () => {
  it('submits on Enter, without the line end, and clears the line', () => {
    const { shown, effects } = type('(+ 1 2)\r');
    expect(effects).toEqual([{ kind: 'submit', text: '(+ 1 2)' }]);
    expect(shown).toBe('|');
  });

  it('submits the whole line from any cursor position', () => {
    expect(type('(+ 1 2)\x01\r').effects).toEqual([{ kind: 'submit', text: '(+ 1 2)' }]);
  });

  it('keeps a pasted block in one piece until Enter', () => {
    const { effects, shown, line } = type('\x1b[200~(list 1\r\n  2)\x1b[201~');
    expect(effects).toEqual([]);
    expect(shown).toBe('(list 1\n  2)|');
    expect(type('\r', line).effects).toEqual([{ kind: 'submit', text: '(list 1\n  2)' }]);
  });

  it('submits a pasted block that ends with a line end', () => {
    expect(type('\x1b[200~(list 1\r  2)\r\x1b[201~').effects).toEqual([
      { kind: 'submit', text: '(list 1\n  2)' },
    ]);
  });

  it('removes control characters from pasted text', () => {
    expect(type('\x1b[200~a\x03\x1b[Ab\x1b[201~').line.text).toBe('a[Ab');
  });

  it('drops the line and requests an interrupt on Ctrl+C', () => {
    const { effects, shown } = type('(loop\x03');
    expect(effects).toEqual([{ kind: 'interrupt' }]);
    expect(shown).toBe('|');
  });

  it('keeps the line when the screen is cleared', () => {
    const { effects, shown } = type('ab\x0c');
    expect(effects).toEqual([{ kind: 'clear-screen' }]);
    expect(shown).toBe('ab|');
  });

  it('ignores answers of the terminal to queries', () => {
    expect(type('\x1b[0;0R\x1b[?1;2c\x1b]10;rgb:ffff/ffff/ffff\x1b\\a').shown).toBe('a|');
  });
});

describe('history', () => {
  const { line: typed } = type('one\rtwo\r');

  it('recalls older lines and returns to the draft', () => {
    expect(type(`dra${UP}`, typed).shown).toBe('two|');
    expect(type(`dra${UP}${UP}${UP}`, typed).shown).toBe('one|');
    expect(type(`dra${UP}${UP}${DOWN}${DOWN}`, typed).shown).toBe('dra|');
    expect(type(`dra${DOWN}`, typed).shown).toBe('dra|');
  });

  it('adds no repeated and no empty line to the history', () => {
    expect(type('two\r\r  \r', typed).line.history).toEqual(['one', 'two']);
  });

  it('moves within a multi-line text before it recalls', () => {
    const { line } = type('(ab\x1b\r  cdef)', typed);
    expect(type(UP, line).shown).toBe('(ab|\n  cdef)');
    expect(type(`\x1b[H${UP}`, line).shown).toBe('|(ab\n  cdef)');
    expect(type(`${UP}${DOWN}`, line).shown).toBe('(ab\n  c|def)');
    expect(type(`${UP}${UP}`, line).shown).toBe('two|');
  });

  it('recalls from an empty line', () => {
    const { line } = type('\x1b\rab', EMPTY_LINE);
    expect(type(`${UP}x`, line).line.text).toBe('x\nab');
  });
});
