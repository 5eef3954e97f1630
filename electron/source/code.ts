/**
 * Code with text from a caller in it. The text is parsed first, so that it cannot close its form and run what
 * follows. Only the reader creates these values, and `code` accepts nothing else.
 */
import { HarborError } from '../contract/errors';
import { lispString } from '../contract/knowledge';
import type { Dialect } from './dialect';
import { elementsOf, read } from './reader';
import { formsOf, isBranch, type SyntaxNode, walk } from './syntax-tree';
import { isList } from './top-level-forms';

/** Code that can be inserted into other code. Templates and JSON use its text. */
export class Code {
  readonly #text: string;

  protected constructor(text: string) {
    this.#text = text;
  }

  /** Implements `code`. */
  static of(texts: TemplateStringsArray, ...places: readonly Place[]): Code {
    return new Code(texts.map((text, index) => `${text}${textOf(places[index])}`).join(''));
  }

  /** Returns text as data: a Common Lisp string. */
  static string(text: string): Code {
    return new Code(lispString(text));
  }

  toString(): string {
    return this.#text;
  }

  toJSON(): string {
    return this.#text;
  }
}

/** A value that `code` accepts; several are joined with blanks. */
type Place = Code | number | readonly Code[];

/** Template tag that inserts code into code: code`(defun ${name} ${parameters})`. */
export const code = Code.of;

/** Returns text as data. */
export const stringCode = Code.string;

/** Exactly one form. */
export class OneForm extends Code {
  readonly #node: SyntaxNode;
  readonly #dialect: Dialect;

  protected constructor({ text, node }: ReadForm, dialect: Dialect) {
    super(text);
    this.#node = node;
    this.#dialect = dialect;
  }

  /** @param argument name of the argument, for the error @throws HarborError `bad_arguments` */
  static read(text: string, dialect: Dialect, argument: string): OneForm {
    return new OneForm(onlyForm(text, dialect, argument), dialect);
  }

  /** Reports whether it is a list in parentheses. */
  get isList(): boolean {
    return isList(this.#node) && String(this).startsWith('(');
  }

  /**
   * Returns the elements of a list, each parsed on its own; empty if it is no list. @throws HarborError
   * `bad_arguments`
   */
  elements(argument: string): OneForm[] {
    const elements = elementsOf(String(this), this.#dialect) ?? [];
    return elements.map((element) => OneForm.read(element, this.#dialect, argument));
  }
}

/** One symbol. */
export class SymbolName extends OneForm {
  readonly isName = true;

  /** @throws HarborError `bad_arguments` */
  static override read(text: string, dialect: Dialect, argument: string): SymbolName {
    const form = onlyForm(text, dialect, argument);
    const isSymbol = form.node.kind === 'token' && !/^(?:#(?!:)|\.+$)/.test(form.text);
    if (!isSymbol) throw invalid(argument, 'this is no symbol');
    return new SymbolName(form, dialect);
  }
}

/** Any number of forms, with the comments between them. */
export class Forms extends Code {
  readonly isForms = true;

  /** @throws HarborError `bad_arguments` */
  static read(text: string, dialect: Dialect, argument: string): Forms {
    formsRead(text, dialect, argument);
    // The last form may be a comment.
    return new Forms(`${text}\n`);
  }
}

/** Returns a function name for `defun`: a symbol, or `(setf symbol)`. @throws HarborError `bad_arguments` */
export function functionName(text: string, argument: string): OneForm {
  const form = OneForm.read(text, 'common-lisp', argument);
  const [operator, name, ...more] = form.elements(argument);
  if (!form.isList || !name) return SymbolName.read(text, 'common-lisp', argument);
  if (!/^(?:\w+::?)?setf$/i.test(String(operator)) || more.length > 0)
    throw invalid(argument, 'this is no name of a function');
  SymbolName.read(String(name), 'common-lisp', argument);
  return form;
}

/** @throws HarborError `bad_arguments` */
export function listForm(text: string, dialect: Dialect, argument: string): OneForm {
  const form = OneForm.read(text, dialect, argument);
  if (!form.isList) throw invalid(argument, 'this is no list in parentheses');
  return form;
}

interface ReadForm {
  text: string;
  node: SyntaxNode;
}

function textOf(place: Place | undefined): string {
  if (place === undefined) return '';
  return Array.isArray(place) ? place.join(' ') : String(place);
}

function onlyForm(text: string, dialect: Dialect, argument: string): ReadForm {
  const forms = formsRead(text, dialect, argument);
  const [form] = forms;
  if (form === undefined || forms.length > 1)
    throw invalid(argument, `exactly one form is needed, and this is ${forms.length || 'none'}`);
  return form;
}

/**
 * Returns the forms of a text that other code will follow. It is parsed with text after it, so an escape or a
 * prefix at its end that would consume that text is found.
 */
function formsRead(text: string, dialect: Dialect, argument: string): ReadForm[] {
  const around = `(${text}\n)`;
  const { tree, problem } = read(around, dialect);
  const [list, ...more] = formsOf(tree);
  const forms = list && isBranch(list) && more.length === 0 ? formsOf(list) : null;
  const last = forms?.at(-1);
  if (problem !== null || forms === null || (last && last.end > text.length + 1))
    throw invalid(argument, 'its parentheses, strings or comments do not match');
  for (const { node } of walk(tree)) refuseReadTime(around, node, dialect, argument);
  for (const form of forms) refuseOptional(around, form, dialect, argument);
  return forms.map((node) => ({ text: around.slice(node.start, node.end), node }));
}

/**
 * Dispatch macros that run code while reading (`#.`, Clojure's `#=`), that have rules of their own (ACL2's
 * `#{"""`, `#Z`, `#Y`), or that take more than one form (`#!`, `#@`, a lone `#`).
 */
const READ_TIME: Readonly<Record<Dialect, RegExp>> = {
  'common-lisp': /^#\d*(?:[.{!@YyZz]|$)/,
  clojure: /^#=/,
};

/** Conditional prefixes, with which the reader may skip the next form. */
const OPTIONAL: Readonly<Record<Dialect, RegExp>> = { 'common-lisp': /^#\d*[+-]/, clojure: /^#\?/ };

function refuseReadTime(text: string, node: SyntaxNode, dialect: Dialect, argument: string): void {
  const isRead = node.kind === 'prefixed' || node.kind === 'token' || node.kind === 'discarded';
  const [found] =
    (isRead && READ_TIME[dialect].exec(text.slice(node.start, Math.min(node.end, node.start + 12)))) || [];
  if (found)
    throw invalid(argument, `${found} is not allowed here: it changes how the text after it is read`);
}

/** Refuses a reader conditional that is not inside a list. Prefixes may be nested. */
function refuseOptional(text: string, form: SyntaxNode, dialect: Dialect, argument: string): void {
  const left = [form];
  for (let node = left.pop(); node !== undefined; node = left.pop()) {
    if (node.kind !== 'prefixed' || !isBranch(node)) continue;
    const [found] = OPTIONAL[dialect].exec(text.slice(node.start, node.inner)) ?? [];
    if (found) throw invalid(argument, `${found} is not allowed here: the reader may skip what follows`);
    for (const inner of formsOf(node)) left.push(inner);
  }
}

function invalid(argument: string, why: string): HarborError {
  return new HarborError('bad_arguments', `invalid ${argument}: ${why}.`);
}
