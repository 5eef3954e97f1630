/** Writes a form that was read under another state of the reader so that the standard reader reads the same. Pure. */

import type { ReaderState } from '../../contract/model';
import { commonLispLexeme } from '../../source/common-lisp-lexer';

/** Lines that a file needs around a form. */
interface Surroundings {
  before: readonly string[];
  after: readonly string[];
}

interface StandardForm extends Partial<Surroundings> {
  code: string;
}

/** @returns null if no file can say what the reader was: it had reader macros without a name */
export function inStandardSyntax(code: string, state: ReaderState | undefined): StandardForm | null {
  if (state === undefined) return { code };
  if (state.syntax !== undefined && state.readtable === undefined) return null;
  const { readtable, ...others } = state;
  const named = readtable ? { ...others, case: undefined } : others;
  return { code: rewritten(code, named), ...surroundings(code, state) };
}

function surroundings(code: string, { readtable, added = [] }: ReaderState): Partial<Surroundings> {
  const mentioned = added.filter((name) => code.toLowerCase().includes(name.toLowerCase()));
  const features = mentioned.map(
    (name) =>
      `(eval-when (:compile-toplevel :load-toplevel :execute) (pushnew ${written(name, ':')} *features*))`,
  );
  const entering = readtable ? [inReadtable(readtable)] : [];
  if (features.length + entering.length === 0) return {};
  const leaving = readtable ? [inReadtable(['KEYWORD', 'STANDARD'])] : [];
  return { before: [...features, ...entering], after: leaving };
}

function inReadtable([home, name]: readonly [string, string]): string {
  const prefix = home === 'KEYWORD' ? ':' : `${written(home, '')}::`;
  return `(named-readtables:in-readtable ${written(name, prefix)})`;
}

/** Rewrites the tokens whose meaning depends on the state. */
function rewritten(code: string, state: ReaderState): string {
  if (!state.base && !state.floats && !state.case && !state.nicknames) return code;
  let text = '';
  for (let at = 0; at < code.length; ) {
    const { kind, end } = commonLispLexeme(code, at);
    const lexeme = code.slice(at, end);
    text += kind === 'token' ? tokenIn(lexeme, state) : lexeme;
    at = end;
  }
  return text;
}

function tokenIn(token: string, state: ReaderState): string {
  if (token.startsWith('#:')) return `#:${symbolIn(token.slice(2), state)}`;
  if (token.startsWith('#') || /^\.+$/.test(token)) return token;
  return integerIn(token, state.base) ?? floatIn(token, state) ?? symbolIn(token, state);
}

const RADIXES: ReadonlyMap<number, string> = new Map([
  [2, '#b'],
  [8, '#o'],
  [16, '#x'],
]);

/** Returns an integer or a ratio with its base; null for another token. */
function integerIn(token: string, base = 10): string | null {
  const digits = /^[+-]?([0-9a-z]+)(?:\/([0-9a-z]+))?$/i.exec(token);
  const isNumber = digits?.slice(1).every((part) => part === undefined || isIn(part, base)) ?? false;
  if (!isNumber) return null;
  return base === 10 ? token : `${RADIXES.get(base) ?? `#${base}r`}${token}`;
}

function isIn(digits: string, base: number): boolean {
  return [...digits].every((digit) => Number.parseInt(digit, 36) < base);
}

const MARKERS: ReadonlyMap<string, string> = new Map(
  Object.entries({ 'short-float': 's', 'single-float': 'f', 'double-float': 'd', 'long-float': 'l' }),
);

const FLOAT = /^[+-]?(?:[0-9]*\.[0-9]+(?:e[+-]?[0-9]+)?|[0-9]+(?:\.[0-9]*)?e[+-]?[0-9]+)$/i;

/** Returns a float of the default format with its marker; null for another token. */
function floatIn(token: string, { floats }: ReaderState): string | null {
  if (!FLOAT.test(token))
    return /^[+-]?[0-9]+\.$|^[+-]?[0-9.]+[sfdl][+-]?[0-9]+$/i.test(token) ? token : null;
  const marker = floats === undefined ? undefined : MARKERS.get(floats);
  if (marker === undefined) return token;
  return /e/i.test(token) ? token.replace(/e/i, marker) : `${token}${marker}0`;
}

/** Writes the symbol that the token names. */
function symbolIn(token: string, state: ReaderState): string {
  if (!state.case && !state.nicknames) return token;
  const colon = firstColon(token);
  if (colon < 0) return state.case ? written(nameIn(token, state), '') : token;
  const colons = token[colon + 1] === ':' ? '::' : ':';
  const prefix = nameIn(token.slice(0, colon), state);
  const name = token.slice(colon + colons.length);
  const nicknamed = state.nicknames?.find(([nickname]) => nickname === prefix)?.[1];
  if (nicknamed === undefined && !state.case) return token;
  const home = prefix === '' ? '' : written(nicknamed ?? prefix, '');
  return `${home}${colons}${state.case ? written(nameIn(name, state), '') : name}`;
}

/** Returns the position of the package marker, which is not escaped; -1 if there is none. */
function firstColon(token: string): number {
  return characters(token).find(({ character, escaped }) => character === ':' && !escaped)?.at ?? -1;
}

interface TokenCharacter {
  at: number;
  character: string;
  escaped: boolean;
}

/** Returns the characters of a token without its bars and backslashes. */
function characters(token: string): TokenCharacter[] {
  const found: TokenCharacter[] = [];
  let inBars = false;
  for (let at = 0; at < token.length; at += 1) {
    const isEscape = token[at] === '\\';
    if (isEscape) at += 1;
    if (token[at] === '|' && !isEscape) inBars = !inBars;
    else found.push({ at, character: token.charAt(at), escaped: isEscape || inBars });
  }
  return found;
}

/** Returns the name of the symbol, or package, that the token names (CLHS 23.1.2). */
function nameIn(token: string, { case: readtableCase = 'upcase' }: { case?: string | undefined }): string {
  const parts = characters(token);
  const plain = parts.flatMap(({ character, escaped }) => (escaped ? [] : [character])).join('');
  const change = caseChange(readtableCase, plain);
  return parts.map(({ character, escaped }) => (escaped ? character : change(character))).join('');
}

function caseChange(readtableCase: string, plain: string): (character: string) => string {
  const upper = (text: string) => text.toUpperCase();
  const lower = (text: string) => text.toLowerCase();
  const same = (text: string) => text;
  if (readtableCase === 'upcase') return upper;
  if (readtableCase === 'downcase') return lower;
  if (readtableCase === 'preserve') return same;
  if (plain === upper(plain)) return lower;
  return plain === lower(plain) ? upper : same;
}

/** Writes the name of a symbol or package for the standard reader. */
function written(name: string, prefix: string): string {
  const isPlain = /^[A-Z0-9!$%&*+\-./<=>?@[\]^_{}~]+$/.test(name) && !/^[+-]?[0-9.]|^\.+$/.test(name);
  return `${prefix}${isPlain ? name.toLowerCase() : `|${name.replace(/[|\\]/g, '\\$&')}|`}`;
}
