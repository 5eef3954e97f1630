/**
 * What code printed, so that it is never taken for ours: each line of it stands behind a mark, and a name is one line. A form may
 * print whatever we say, and a symbol may have any character in its name. Pure.
 */
import { withTexts } from '../../contract/visible-text';

/** Engines whose results have sections of ours that somebody may want to forge. */
const PROVERS: ReadonlySet<string> = new Set(['acl2']);

/** All that some program shows as the end of a line. */
const LINE_END = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/g;

export function isOfProver({ engine }: { engine: string }): boolean {
  return PROVERS.has(engine);
}

export function quoted(text: string): string {
  const lines = text.split(LINE_END);
  return lines.map((line) => (line === '' ? '|' : `| ${line}`)).join('\n');
}

/** What a section shows of output: without the empty lines around it, and one of several. */
export function quotedOutput(text: string): string {
  const told = text
    .replace(/^\s*\n/, '')
    .trimEnd()
    .replaceAll(/\n{3,}/g, '\n\n');
  return told === '' ? '' : quoted(told);
}

/** A value, a name or a message that begins in a line of ours: what it goes on with is quoted. */
export function quotedFurther(text: string): string {
  const [first = '', ...more] = text.split(LINE_END);
  return [first, ...more.map((line) => `|  ${line}`)].join('\n');
}

/** Every text in `value` as one line. */
export function inOneLine<T>(value: T): T {
  return withTexts(value, (text) => text.replaceAll(LINE_END, '␤'));
}
