/** Regular expression search with time limits, because patterns come from callers. */
import { type Context, createContext, Script } from 'node:vm';
import { HarborError } from '../contract/errors';
import { innermost } from './matches';
import { EnteredPackages } from './names/package-forms';
import { read, type Source } from './reader';
import { formsOf, type SyntaxNode } from './syntax-tree';
import { Positions } from './text';
import { isDefiner, isList, type TopLevelForm, topLevelForms } from './top-level-forms';

/** Time limit in milliseconds for one batch of texts, which blocks the process. */
const LONGEST_MS = 500;
/** Time limit in milliseconds for all texts of a search. */
const LONGEST_SEARCH_MS = 5000;

const MATCHES = new Script('texts.map((text) => { pattern.lastIndex = 0; return pattern.test(text); })');

/** A pattern that is searched for in several batches of texts. */
export class Pattern {
  readonly #written: string;
  readonly #context: Context;
  #leftMs = LONGEST_SEARCH_MS;

  /**
   * @param flags JavaScript flags, in addition to inline flags at the start of the pattern such as `(?i)`
   * @throws HarborError `bad_arguments` for an invalid pattern
   */
  constructor(written: string, flags: string) {
    this.#written = written;
    this.#context = createContext({ pattern: compiled(written, flags) });
  }

  /** @throws HarborError `bad_arguments` if it takes too long */
  matches(texts: readonly string[]): readonly boolean[] {
    const began = performance.now();
    try {
      if (this.#leftMs <= 0) throw this.#tooSlow();
      const timeout = Math.ceil(Math.min(LONGEST_MS, this.#leftMs));
      return MATCHES.runInContext(Object.assign(this.#context, { texts }), { timeout }) as boolean[];
    } catch (error) {
      throw (error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
        ? this.#tooSlow()
        : error;
    } finally {
      this.#leftMs -= performance.now() - began;
    }
  }

  #tooSlow(): HarborError {
    return new HarborError('bad_arguments', `The pattern ${this.#written} takes too long. Simplify it.`);
  }
}

/**
 * Reports for each text whether it contains the pattern, without case.
 * @throws HarborError `bad_arguments` for a pattern that is invalid or takes too long
 */
export function matches(pattern: string, texts: readonly string[]): readonly boolean[] {
  return new Pattern(pattern, 'im').matches(texts);
}

function compiled(written: string, flags: string): RegExp {
  const [begin = '', before = ''] = /^\(\?([ims]+)\)/.exec(written) ?? [];
  try {
    return new RegExp(written.slice(begin.length), [...new Set(flags + before)].join(''));
  } catch (error) {
    throw new HarborError('bad_arguments', `${(error as Error).message}. Patterns are JavaScript’s.`);
  }
}

/** A line of a Lisp text that matches a pattern, with its top-level form. */
export interface MatchingLine {
  /** From 1. */
  line: number;
  text: string;
  /** The package that the preceding `in-package` enters, as read; null without one. */
  package: string | null;
  /** The form's operator. */
  type: string;
  /** The name as written; null if it names nothing. */
  name: string | null;
  /** How the definition is used, such as `(area shape)`; for a variable, its name. */
  signature: string | null;
  /** Offset of the form. */
  start: number;
  startLine: number;
  endLine: number;
  /** The whole form. */
  form: string;
}

/** Maximum characters of a line and of a signature. */
const LONGEST = 300;

/**
 * Returns the matching lines inside forms; comment lines between forms are skipped.
 * @throws HarborError as `Pattern.matches`
 */
export function matchingLines(text: string, pattern: Pattern): MatchingLine[] {
  const lines = text.split('\n');
  const matching = pattern.matches(lines).flatMap((isMatch, index) => (isMatch ? [index + 1] : []));
  if (matching.length === 0) return [];
  const source = read(text, 'common-lisp');
  const positions = new Positions(text);
  const forms = topLevelForms(source);
  const entered = EnteredPackages.of(forms, source);
  const formAround = innermost(forms);
  return matching.flatMap((line) => {
    const written = lines[line - 1] ?? '';
    const offset = positions.startOf(line) + Math.max(written.search(/\S/), 0);
    const around = formAround(offset);
    if (around === undefined) return [];
    const { start, end } = around.whole;
    return {
      line,
      text: written.trim().slice(0, LONGEST),
      package: entered.at(offset),
      type: around.type,
      ...namesOf(around, source),
      start,
      startLine: positions.line(start),
      endLine: positions.line(Math.max(start, end - 1)),
      form: text.slice(start, end),
    };
  });
}

function namesOf(
  { type, form, name }: TopLevelForm,
  { text }: Source,
): Pick<MatchingLine, 'name' | 'signature'> {
  if (name === null || !isList(form)) return { name: null, signature: null };
  const written = (node: SyntaxNode) => text.slice(node.start, node.end).replace(/\s+/g, ' ');
  const [, named, ...rest] = formsOf(form);
  const called = named === undefined ? name.name : written(named).replace(/^(?:#:|:)/, '');
  const place = rest.findIndex(isList);
  const parameters = rest[place];
  if (parameters === undefined || !takesParameters(type)) return { name: called, signature: called };
  const qualifiers = rest.slice(0, place).map(written);
  const inside = written(parameters).slice(1, -1).trim();
  const signature = `(${[called, ...qualifiers, inside].filter(Boolean).join(' ')})`;
  return { name: called, signature: signature.length > LONGEST ? called : signature };
}

/**
 * Reports whether a lambda list follows the name. In other forms a value, slots or a documentation string
 * does.
 */
function takesParameters(type: string): boolean {
  return (
    isDefiner(type) && /^(?:defun|defmacro|defgeneric|defmethod|define-|deftype|defclass|deftest)/i.test(type)
  );
}
