/** The symbol in the selection or under the pointer, and the session that the code belongs to. */
import type { SessionId } from '../../electron/contract/model';

/** Characters of names in Common Lisp and Clojure. */
const NAME = /[^\s()[\]{}"'`,;]+/g;

/** Returns the name around an offset of a text or right before it; null if there is none. Pure. */
export function nameAt(text: string, offset: number): string | null {
  for (const match of text.matchAll(NAME)) {
    const [found] = match;
    if (match.index <= offset && offset <= match.index + found.length) return cleaned(found);
  }
  return null;
}

/** Removes quoting as in `#'name` and the period at the end of a sentence. */
function cleaned(found: string): string | null {
  const name = found.replace(/^#+/, '').replace(/[.:?!…]+$/, '');
  return /[\p{L}*+/<>=&%$!_-]/u.test(name) ? name : null;
}

/** Selector of elements that contain one line of text. */
const LINE = '.cm-line, pre, code, li, dd, dt, td, p';

/** Returns the selected name, or the name at the caret. */
export function selectedName(): string | null {
  const field = document.activeElement;
  if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)
    return nameAt(field.value, field.selectionStart ?? 0);
  const selection = getSelection();
  if (!selection || selection.rangeCount === 0) return null;
  const text = selection.toString().trim();
  if (text !== '') return nameAt(text, 0);
  return nameIn(selection.focusNode, selection.focusOffset);
}

/**
 * Returns the session whose code the node belongs to, by the closest `data-code-of` attribute; null if there
 * is none.
 */
export function codeOf(node: Node | null): SessionId | null {
  const element = node instanceof Element ? node : node?.parentElement;
  return element?.closest('[data-code-of]')?.getAttribute('data-code-of') ?? null;
}

/** Returns the session of the selected code, as `codeOf`. */
export function selectedCodeOf(): SessionId | null {
  return codeOf(getSelection()?.focusNode ?? null);
}

/** Returns the name at a point of the page, in client coordinates. */
export function nameAtPoint(x: number, y: number): string | null {
  const range = document.caretRangeFromPoint(x, y);
  return range && nameIn(range.startContainer, range.startOffset);
}

function nameIn(node: Node | null, offset: number): string | null {
  const line = node?.parentElement?.closest(LINE);
  if (!line || !node) return null;
  const before = document.createRange();
  before.setStart(line, 0);
  before.setEnd(node, offset);
  return nameAt(line.textContent ?? '', before.toString().length);
}
