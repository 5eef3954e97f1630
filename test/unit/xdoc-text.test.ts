/** Documentation that books carry as markup, as text. */
import { expect, it } from 'vitest';
import { xdocText } from '../../electron/images/acl2/knowledge';

it.each([
  [
    'Lemmas about @(see update-nth) available in the @(see std/lists)\nlibrary.',
    'Lemmas about update-nth available in the std/lists library.',
  ],
  ['<p>One.</p>\n\n<p>Two <b>bold</b> &lt;3&gt; &amp; &mdash;.</p>', 'One.\n\nTwo bold <3> & —.'],
  ["Calls @('(f <x> &lt;)') often.", 'Calls (f <x> &lt;) often.'],
  ['Before\n@({\n  (defun f (x)\n    x)  \n})\nafter.', 'Before\n\n    (defun f (x)\n      x)\n\nafter.'],
  ['<code>\n(a &lt; b)\n</code>', '  (a < b)'],
  ['<ul>\n<li>one</li>\n<li>two\nlines</li>\n</ul>Rest', '- one\n- two lines\n\nRest'],
  ['@(def |ACL2|::|LEN-OF-APPEND|) @(def |STR|::|cat Mixed|)', 'LEN-OF-APPEND STR::|cat Mixed|'],
  ['See <see topic="@(url append)">append</see><br/>and @($x^2$).', 'See append\nand x^2.'],
  ['1 &rarr; &#xFC;&#039; &ldquo;x&rdquo;', "1 → ü' “x”"],
  ['a@@b', 'a@b'],
  ['', ''],
  ['<p>never closed @({ (f', 'never closed @({ (f'],
])('%j is %j', (markup, text) => {
  expect(xdocText(markup)).toBe(text);
});

it('takes as long as its markup is long', () => {
  const began = performance.now();
  for (const piece of ['@({', "@('", '<', '&', '@(see ', '<code>', '\n', '|'])
    xdocText(piece.repeat(24_000 / piece.length));
  expect(performance.now() - began).toBeLessThan(5_000);
});
