/** Whoever writes to a terminal is told when it has taken that in. */
import { expect, it } from 'vitest';
import { TerminalWriter } from './terminal-writer';

/** A terminal that takes in what is written when the test says so. */
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

it('is done with a text when the terminal is', async () => {
  const terminal = slowTerminal();
  let taken = 0;
  const writer = new TerminalWriter(terminal, () => (taken += 1));
  const [one, two] = [writer.write('one'), writer.write('two')];
  expect([terminal.written, await isOver(one), taken]).toEqual([['one', 'two'], false, 0]);
  terminal.take();
  expect([await isOver(one), await isOver(two), taken]).toEqual([true, false, 1]);
});

it('is done with everything when the terminal goes, and writes nothing to it after that', async () => {
  const terminal = slowTerminal();
  let taken = 0;
  const writer = new TerminalWriter(terminal, () => (taken += 1));
  const one = writer.write('one');
  writer.end();
  expect([await isOver(one), await isOver(writer.write('late'))]).toEqual([true, true]);
  terminal.take();
  expect([terminal.written, taken]).toEqual([['one'], 0]);
});
