/** What images write on stderr comes to whole lines, and to few of a flood. */
import { expect, it } from 'vitest';
import { StderrLines } from '../../electron/sessions/session-logs';

const output = (text: string, stream: 'stderr' | 'stdout' = 'stderr') => ({
  ...{ evaluation: 7, session: 'sbcl-1', stream, text },
});
const texts = (lines: readonly { text: string }[]) => lines.map(({ text }) => text);

it('puts lines together that come in pieces, and tells the last one at the end', () => {
  const lines = new StderrLines();
  expect(texts(lines.add(output('half a ')))).toEqual([]);
  expect(texts(lines.add(output('value\n', 'stdout')))).toEqual([]);
  expect(texts(lines.add(output('line\n\nnext')))).toEqual(['stderr: half a line']);
  expect(texts(lines.end(7))).toEqual(['stderr: next']);
  expect(texts(lines.end(7))).toEqual([]);
});

it('tells the first lines of a flood, and where all of it is', () => {
  const lines = new StderrLines();
  const told = texts(lines.add(output('flood\n'.repeat(10_000))));
  expect(told).toHaveLength(41);
  expect(told.at(-1)).toBe('stderr: … the full text is stored with evaluation 7');
  expect(texts(lines.add(output('more\n')))).toEqual([]);
});
