/**
 * Text from outside as people may be shown it: characters that nobody sees, or that turn or cover others, stand there by
 * their number. All that the window shows, and what dialogs and menus name, goes through here. Pure.
 */

/** Controls but newline, tab and the return of a line's end; what Unicode says to show as nothing; separators of lines; tags. */
const UNSEEN = /(?!\n|\t|\r\n)[\p{Cc}\p{Cf}\p{Cn}\p{Co}\p{Cs}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]/u;

/** Emoji are joined and coloured by such characters, and then those are seen. */
const JOINED = /(?<=\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f)(?:\u200d|\ufe0f)/u;

const HIDDEN = new RegExp(`(?!${JOINED.source})${UNSEEN.source}`, 'gu');

/** A text of several lines: no line is hidden, and none runs in another direction than it was written. */
export function visibleText(text: string): string {
  return text.replace(HIDDEN, marked);
}

/** A name or path: one line, whatever is in it. */
export function visibleLine(text: string): string {
  return visibleText(text).replace(/[\n\r\t]/g, marked);
}

/** `value` with each text in it changed, the names of fields too, which may come from outside. */
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
