/** The symbol that a person means: what they have selected, or what stands where they point, and which session's code that is. */
import type { SessionId } from '../../electron/contract/model';

/** Characters of which names are made in Common Lisp and Clojure. */
const NAME = /[^\s()[\]{}"'`,;]+/g;

/** Pure: the name in a text at an offset, or right before it; null where there is none. */
export function nameAt(text: string, offset: number): string | null {
  for (const match of text.matchAll(NAME)) {
    const [found] = match;
    if (match.index <= offset && offset <= match.index + found.length) return cleaned(found);
  }
  return null;
}

/** `#'name` and `name.` of a sentence are the name. */
function cleaned(found: string): string | null {
  const name = found.replace(/^#+/, '').replace(/[.:?!…]+$/, '');
  return /[\p{L}*+/<>=&%$!_-]/u.test(name) ? name : null;
}

/** What a line of text is in the page: of an editor, of code, of a list. */
const LINE = '.cm-line, pre, code, li, dd, dt, td, p';

/** The name that is selected in the page, or at its caret. */
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

/** What stands below an element with the attribute `data-code-of` is code of that session: null where there is none. */
export function codeOf(node: Node | null): SessionId | null {
  const element = node instanceof Element ? node : node?.parentElement;
  return element?.closest('[data-code-of]')?.getAttribute('data-code-of') ?? null;
}

/** Of which session the code is that is selected, as `codeOf`. */
export function selectedCodeOf(): SessionId | null {
  return codeOf(getSelection()?.focusNode ?? null);
}

/** The name at a point of the page, such as that of a click. */
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
