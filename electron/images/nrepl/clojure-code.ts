/**
 * Clojure source code as text: data as literals, the expansion of a form, and code split into its top-level
 * forms. https://clojure.org/reference/reader
 */

import type { Condition } from '../../contract/model';
import type { OneForm } from '../../source/code';
import { problemOffset } from '../../source/diagnosis';
import { CLOSING } from '../../source/lexeme';
import { type Problem, read } from '../../source/reader';
import { isForm } from '../../source/syntax-tree';
import { Positions } from '../../source/text';

export type ClojureData =
  | string
  | number
  | boolean
  | null
  | readonly ClojureData[]
  | { readonly [key: string]: ClojureData | undefined };

/** Prints data as Clojure. Objects become maps with keyword keys; undefined values are left out. */
export function clojureData(value: ClojureData): string {
  if (value === null) return 'nil';
  // Clojure strings support all escapes that JSON uses.
  if (typeof value !== 'object') return JSON.stringify(value);
  if (isList(value)) return `[${value.map(clojureData).join(' ')}]`;
  const entries = Object.entries(value).flatMap(([key, item]) =>
    item === undefined ? [] : [`:${key} ${clojureData(item)}`],
  );
  return `{${entries.join(' ')}}`;
}

function isList(value: object): value is readonly ClojureData[] {
  return Array.isArray(value);
}

const EXPANSIONS = {
  once: (form: OneForm) => `(macroexpand-1 '${form}\n)`,
  full: (form: OneForm) => `(do (require 'clojure.walk) (clojure.walk/macroexpand-all '${form}\n))`,
} as const;

/** Returns code whose value is the expansion of `form`; works on every Clojure dialect. */
export function expansionCode(form: OneForm, extent: 'once' | 'full'): string {
  return EXPANSIONS[extent](form);
}

/** The source of a form and its position; `line` and `column` count from 0. */
export interface PlacedForm {
  code: string;
  line: number;
  column: number;
}

/**
 * Splits `code` into its top-level forms, without comments and `#_` forms. If the code has a syntax error,
 * the last form ends after the bracket at fault, so that the engine's reader reports the error, and the rest
 * is dropped.
 */
export function placedForms(code: string): PlacedForm[] {
  return checkedForms(code).forms;
}

/**
 * Like `placedForms`, with a sentence about an unbalanced bracket or string, in which case nothing should be
 * evaluated. `problem` is null if the delimiters are balanced.
 */
export function checkedForms(code: string): { forms: PlacedForm[]; problem: string | null } {
  const { tree, problem } = read(code, 'clojure');
  const positions = new Positions(code);
  const forms: PlacedForm[] = [];
  const add = (start: number, end: number): void => {
    const { line, column } = positions.of(start);
    forms.push({ code: code.slice(start, end), line: line - 1, column: column - 1 });
  };
  const fault = problem === null ? code.length : problemOffset(problem);
  for (const node of tree.children) {
    if (node.end > fault) {
      const isBracket = problem?.kind === 'mismatched' || problem?.kind === 'stray';
      add(node.start, isBracket ? fault + 1 : node.end);
      break;
    }
    if (isForm(node)) add(node.start, node.end);
  }
  return { forms, problem: problem && delimiterProblem(code, problem) };
}

/**
 * Describes unbalanced delimiters in sentences, with lines and columns from 1; null for a prefix such as `'`
 * without its form.
 */
function delimiterProblem(code: string, problem: Problem): string | null {
  const at = placesIn(code);
  switch (problem.kind) {
    case 'stray':
      return `The ${at(problem.closer)} closes nothing.`;
    case 'mismatched':
      return `The ${at(problem.opener)} is closed by the ${at(problem.closer)}, where ${CLOSING.get(code.charAt(problem.opener)) ?? 'another'} was expected.`;
    case 'unterminated':
      return `The ${at(code.indexOf('"', problem.at))} is not closed.`;
    case 'unclosed':
      return unclosedText(code, problem.openers);
    case 'dangling':
      return null;
  }
}

/** The condition for code that was not evaluated because of `problem`. */
export function unbalanced(problem: string): Condition {
  return {
    type: 'unbalanced delimiters',
    message: `${problem} Nothing was evaluated.`,
    level: 1,
    restarts: [],
    frames: [],
  };
}

/** The innermost delimiter is where a reader stops; the outermost one tells which form does not end. */
function unclosedText(code: string, openers: readonly number[]): string {
  const at = placesIn(code);
  const [outermost = 0, ...inner] = openers;
  const innermost = inner.at(-1);
  const last = `The ${at(innermost ?? outermost)} is not closed`;
  // By convention, top-level forms begin in the first column.
  const begun = code.indexOf('\n(', outermost);
  return [
    innermost === undefined ? `${last}.` : `${last}, nor is the ${at(outermost)}.`,
    ...(begun < 0
      ? []
      : [`Line ${new Positions(code).line(begun + 1)} begins another form, so look before it.`]),
  ].join(' ');
}

/** Returns a function that describes the character at an offset and its position. */
function placesIn(code: string): (offset: number) => string {
  const positions = new Positions(code);
  return (offset) => {
    const { line, column } = positions.of(offset);
    return `${code.charAt(offset)} at line ${line}, column ${column}`;
  };
}
