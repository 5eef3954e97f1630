/**
 * Text from an image in our text, so that it cannot imitate ours: each line starts with a mark, or it is one
 * line, and invisible characters are shown. A form may print any text, and a symbol may contain any
 * character. Pure.
 */
import { visibleText, withTexts } from '../../contract/visible-text';

/** Engines whose results have sections that printed text could imitate. */
const PROVERS: ReadonlySet<string> = new Set(['acl2']);

/** Every character sequence that some program shows as a line end. */
const LINE_END = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/g;

export function isOfProver({ engine }: { engine: string }): boolean {
  return PROVERS.has(engine);
}

export function quoted(text: string): string {
  return linesOf(text)
    .map((line) => (line === '' ? '|' : `| ${line}`))
    .join('\n');
}

/**
 * Returns the quoted output of a section, without the empty lines around it and with runs of empty lines
 * reduced to one.
 */
export function quotedOutput(text: string): string {
  const lines = text
    .replace(/^\s*\n/, '')
    .trimEnd()
    .replaceAll(/\n{3,}/g, '\n\n');
  return lines === '' ? '' : quoted(lines);
}

/** Returns a value, name or message that starts on one of our lines, with its further lines quoted. */
export function quotedFurther(text: string): string {
  const [first = '', ...more] = linesOf(text);
  return [first, ...more.map((line) => `|  ${line}`)].join('\n');
}

/** Returns `value` with every text in it reduced to one line. */
export function inOneLine<T>(value: T): T {
  return withTexts(value, (text) => linesOf(text).join('␤'));
}

/** Returns `value` with the texts in it quoted where the engine could imitate our text. */
export function quotedIn<T>(value: T, record: { engine: string }): T {
  return isOfProver(record) ? withTexts(value, quotedFurther) : value;
}

function linesOf(text: string): string[] {
  return text.split(LINE_END).map(visibleText);
}
