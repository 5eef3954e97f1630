/** Completion of writes to a terminal. */

import { expect, it } from 'vitest';
import { TerminalWriter } from './terminal';

/** A terminal that processes writes when the test says so. */
function slowTerminal() {
  const takes: (() => void)[] = [];
  const written: string[] = [];
  const write = (text: string | Uint8Array, taken?: () => void) => {
    written.push(String(text));
    takes.push(taken ?? (() => undefined));
  };
  return { written, write, take: () => takes.shift()?.() };
}

async function isOver(promise: Promise<void>): Promise<boolean> {
  const pending = Symbol('pending');
  return (await Promise.race([promise, Promise.resolve(pending)])) !== pending;
}

it('resolves a write when the terminal has processed it', async () => {
  const terminal = slowTerminal();
  let taken = 0;
  const writer = new TerminalWriter(terminal, () => (taken += 1));
  const [one, two] = [writer.write('one'), writer.write('two')];
  expect([terminal.written, await isOver(one), taken]).toEqual([['one', 'two'], false, 0]);
  terminal.take();
  expect([await isOver(one), await isOver(two), taken]).toEqual([true, false, 1]);
});

it('resolves all writes when the terminal is disposed, and writes nothing afterwards', async () => {
  const terminal = slowTerminal();
  let taken = 0;
  const writer = new TerminalWriter(terminal, () => (taken += 1));
  const one = writer.write('one');
  writer.end();
  expect([await isOver(one), await isOver(writer.write('late'))]).toEqual([true, true]);
  terminal.take();
  expect([terminal.written, taken]).toEqual([['one'], 0]);
});
