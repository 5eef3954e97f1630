/** A string as Common Lisp code (CLHS 2.4.5): between quotes, with `\` before quotes and before itself. */
export function lispString(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}
