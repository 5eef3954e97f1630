/** What a model reads of text that was made for a terminal. */
import { expect, it } from 'vitest';
import { cleanText } from '../../electron/tools/wire-data';

it.each([
  ['plain λ\n\ttext', 'plain λ\n\ttext'],
  ['\u001b[1;31mred\u001b[0m', 'red'],
  ['\u009b31mred', 'red'],
  ['\u001b]0;title\u0007shell', 'shell'],
  ['\u001b]8;;http://x\u001b\\link\u001b]8;;\u001b\\', 'link'],
  ['\u001b(Bascii \u001b7saved\u001b=', 'ascii saved'],
  ['one\r\ntwo\r\n', 'one\ntwo\n'],
  ['10 %\r20 %', '10 %␍20 %'],
  ['"a\u0000b\u0007c\u007f"', '"a␀b␇c␡"'],
  ['broken \u0085 text', 'broken \ufffd text'],
  ['left open \u001b', 'left open ␛'],
  ['left open \u001b]0;title', 'left open 0;title'],
])('%j is read as %j', (text, read) => {
  expect(cleanText(text)).toBe(read);
});

it('takes a time that grows with the text and not faster', () => {
  const text = '\u001b[0;'.repeat(200_000);
  expect(cleanText(text)).not.toContain('\u001b');
});
