/**
 * Makes text from outside safe to display: invisible characters, and characters that reorder or overlap
 * others, are replaced by their code point. All text in the window, and names in dialogs and menus, is
 * converted. Without zod, because the window loads this before the harbor is ready.
 */
/**
 * Control characters except newline, tab and carriage return before a newline; default-ignorable characters;
 * line separators; tags.
 */
const UNSEEN = /(?!\n|\t|\r\n)[\p{Cc}\p{Cf}\p{Cn}\p{Co}\p{Cs}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]/u;

/** Joiners and modifiers in emoji, which are visible there. */
const JOINED = /(?<=\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f)(?:\u200d|\ufe0f)/u;

const HIDDEN = new RegExp(`(?!${JOINED.source})${UNSEEN.source}`, 'gu');

/** Converts a text of several lines: every line is visible and keeps its direction. */
export function visibleText(text: string): string {
  return text.replace(HIDDEN, marked);
}

/** Converts a name or path to one line. */
export function visibleLine(text: string): string {
  return visibleText(text).replace(/[\n\r\t]/g, marked);
}

/** A symbol in bars or a string, as Lisp prints it; also one that was cut. */
const IN_BARS_OR_QUOTES = /#\\.|\|(?:[^|\\]|\\.)*(?:\||$)|"(?:[^"\\]|\\.)*(?:"|$)/gs;

/**
 * Converts a form that Lisp printed: line ends in its names and strings are marked. The other lines of a
 * form are indented or begin with a parenthesis.
 */
export function visibleForm(form: string): string {
  return visibleText(form.replaceAll(IN_BARS_OR_QUOTES, visibleLine));
}

/** Maximum number of paths that one sentence names. */
const MOST_NAMED = 3;

/** Maximum characters of a path in a sentence. */
const LONGEST_PATH = 200;

/** Names paths that code chose: "a, b, c and 3 more". */
export function namedPaths(paths: readonly string[], longest = LONGEST_PATH): string {
  const more = paths.length - MOST_NAMED;
  const names = paths.slice(0, MOST_NAMED).map((each) => quotedPath(each, longest));
  return `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** Quotes a path that code chose, so that it cannot be read as part of our text. */
export function quotedPath(path: string, longest = LONGEST_PATH): string {
  return path.length <= longest && /^[\w./@+-]+$/.test(path) ? path : JSON.stringify(path.slice(0, longest));
}

/** Returns `value` with each text in it converted, including names of fields. */
export function withTexts<T>(value: T, change: (text: string) => string): T;
export function withTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((each) => withTexts(each, change));
  if (value === null || typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype)
    return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [change(name), withTexts(each, change)]),
  );
}

function marked(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
}
