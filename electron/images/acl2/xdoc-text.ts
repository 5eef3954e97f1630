/**
 * Markup of XDOC, as books document with it, as plain text: code stays as it is, a name stands for what is said about it,
 * paragraphs have a blank line between them. Markup that is wrong gives text all the same.
 */

/** Code on lines of its own. */
const CODE_BLOCK = /@\(\{([\s\S]*?)\}\)|<code>([\s\S]*?)<\/code>/g;

/** Code within a line, formulas, and what the preprocessor evaluates or looks up, such as `@(see append)`. */
const INLINE = /@\('([\s\S]*?)'\)|@\(([$[`])([\s\S]*?)[$\]`]\)|@\([\w-]+\??\s+([^()]*)\)/g;

const ENTITIES: ReadonlyMap<string, string> = new Map(
  Object.entries({ lt: '<', gt: '>', amp: '&', quot: '"', apos: "'", nbsp: ' ', ndash: '–', mdash: '—' }),
);

export function xdocText(markup: string): string {
  const parts: string[] = [];
  let at = 0;
  for (const block of markup.matchAll(CODE_BLOCK)) {
    parts.push(prose(markup.slice(at, block.index)), codeBlock(block[1] ?? withEntities(block[2] ?? '')));
    at = block.index + block[0].length;
  }
  parts.push(prose(markup.slice(at)));
  return parts
    .filter((part) => part !== '')
    .join('\n\n')
    .replaceAll('@@', '@');
}

function codeBlock(code: string): string {
  const lines = code.replace(/^\s*\n|\s+$/g, '').split('\n');
  return lines.map((line) => `  ${line}`.trimEnd()).join('\n');
}

/** A tag that ends a line is a blank line or a dash; the others leave nothing. */
function prose(markup: string): string {
  const text = markup
    .replaceAll(INLINE, (_, code?: string, _sign?: string, formula?: string, about?: string) =>
      (code ?? formula ?? nameIn(about ?? '')).replaceAll('&', '&amp;').replaceAll('<', '&lt;'),
    )
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/<li\b[^<>]*>/gi, '\n- ')
    .replaceAll(/<\/?(?:p|h\d|ul|ol|dl|blockquote|table|center)\b[^<>]*>/gi, '\n\n')
    .replaceAll(/<(?:br|dt|dd|tr)\b[^<>]*>/gi, '\n')
    .replaceAll(/<[^<>]*>/g, '');
  const lines = withEntities(text).split('\n');
  return lines
    .map((line) => line.trim())
    .filter((line) => line !== '-')
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
}

/** `|ACL2|::|UPDATE-NTH|` as it is written, without ACL2's package. */
function nameIn(about: string): string {
  return about
    .trim()
    .replaceAll(/\|([^|a-z]*)\|/g, '$1')
    .replace(/^ACL2::/i, '');
}

function withEntities(text: string): string {
  return text.replaceAll(/&(\w+);/g, (whole, name: string) => ENTITIES.get(name) ?? whole);
}
