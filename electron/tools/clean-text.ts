/**
 * Text as a model should read it: without the codes that colour a terminal, other control characters shown by their
 * picture. Data and the history keep what was printed, byte by byte. Pure.
 */

const ESCAPE = String.fromCharCode(0x1b);
const BELL = String.fromCharCode(0x07);

/** Control sequences, operating system commands and two-character escapes (ECMA-48, sections 5.3 to 5.6). */
const TERMINAL_CODE = new RegExp(
  [
    `(?:${ESCAPE}\\[|\u009b)[0-?]*[ -/]*[@-~]`,
    `${ESCAPE}\\][^${BELL}${ESCAPE}]*(?:${BELL}|${ESCAPE}\\\\)`,
    `${ESCAPE}[ -/]*[0-~]`,
  ].join('|'),
  'g',
);

/** All control characters but newline and tab. */
const CONTROL = /[^\P{Cc}\n\t]/gu;

export function cleanText(text: string): string {
  if (text.search(CONTROL) < 0) return text;
  return text.replaceAll('\r\n', '\n').replace(TERMINAL_CODE, '').replace(CONTROL, picture);
}

/** Unicode has pictures of the control characters of ASCII; those of the upper half stand for broken text. */
function picture(character: string): string {
  const code = character.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code === 0x7f ? '\u2421' : '\ufffd';
}
