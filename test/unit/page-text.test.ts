/** Pages of HTML as text. */
import { expect, it } from 'vitest';
import { pageText } from '../../electron/compat/tools/hyperspec-tool';

it('leaves out tags, reads entities, and drops what is empty', () => {
  const html = '<H1>CAR, <I>CDR</I></H1>\r\n<BR>\n&lt;a&gt;&nbsp;&amp; &#65; &unknown;\n';
  expect(pageText(html, false)).toBe('CAR, CDR\n<a> & A &unknown;');
});

it('ends before the description when it is to be brief, and in any case somewhere', () => {
  expect(pageText('Syntax:\n<b>Description:</b>\nlong', true)).toBe('Syntax:');
  expect(pageText('x'.repeat(10_000), true)).toHaveLength(1500);
  expect(pageText('x'.repeat(10_000), false)).toHaveLength(8000);
});

it('takes broken tags in its stride', () => {
  expect(pageText('<'.repeat(200_000), false)).toHaveLength(8000);
});
