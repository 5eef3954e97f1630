/**
 * A caller's text that goes into code which we write. It is read first, so that it cannot end what it stands in and run what
 * follows: only the reader makes these, and `code` takes nothing else into its places.
 */
import { HarborError } from '../contract/errors';
import { lispString } from '../contract/knowledge';
import type { Dialect } from './dialect';
import { isList } from './form-name';
import { elementsOf } from './forms';
import { read } from './reader';
import { formsOf, isBranch, type SyntaxNode, walk } from './syntax-tree';

/** Code that may stand in other code. Its text is what a template or JSON makes of it. */
export class Code {
  readonly #text: string;

  protected constructor(text: string) {
    this.#text = text;
  }

  /** What `code` does. */
  static of(texts: TemplateStringsArray, ...places: readonly Place[]): Code {
    return new Code(texts.map((text, index) => `${text}${textOf(places[index])}`).join(''));
  }

  /** Text as data: a string of Common Lisp. */
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

/** What may stand in a place of `code`; several one after another, with blanks between. */
type Place = Code | number | readonly Code[];

/** Code with other code in its places: code`(defun ${name} ${parameters})`. */
export const code = Code.of;

/** Text as data. */
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

  /** @param argument as its caller named it @throws HarborError `bad_arguments` */
  static read(text: string, dialect: Dialect, argument: string): OneForm {
    return new OneForm(onlyForm(text, dialect, argument), dialect);
  }

  /** Whether it is a list in parentheses. */
  get isList(): boolean {
    return isList(this.#node) && String(this).startsWith('(');
  }

  /** Those of a list, each read for itself; none of what is no list. @throws HarborError `bad_arguments` */
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

/** As many forms as there are, with the comments between them. */
export class Forms extends Code {
  readonly isForms = true;

  /** @throws HarborError `bad_arguments` */
  static read(text: string, dialect: Dialect, argument: string): Forms {
    formsRead(text, dialect, argument);
    // A comment may be the last of it.
    return new Forms(`${text}\n`);
  }
}

/** What `defun` takes for a name: a symbol, or `(setf symbol)`. @throws HarborError `bad_arguments` */
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
 * The forms of a text as they are read where other code goes on after it: with something behind it, an escape or a prefix at
 * its end shows what it would take along.
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

/** `#.` and Clojure's `#=` run code while they are read; what ACL2's `#{"""`, `#Z` and `#Y` begin has rules of its own, `#!` and `#@` take
 * more than one form, and so may a lone `#`. */
const READ_TIME: Readonly<Record<Dialect, RegExp>> = {
  'common-lisp': /^#\d*(?:[.{!@YyZz]|$)/,
  clojure: /^#=/,
};

/** What stands behind these may be left out, and something else takes its place. */
const OPTIONAL: Readonly<Record<Dialect, RegExp>> = { 'common-lisp': /^#\d*[+-]/, clojure: /^#\?/ };

function refuseReadTime(text: string, node: SyntaxNode, dialect: Dialect, argument: string): void {
  const isRead = node.kind === 'prefixed' || node.kind === 'token' || node.kind === 'discarded';
  const [found] =
    (isRead && READ_TIME[dialect].exec(text.slice(node.start, Math.min(node.end, node.start + 12)))) || [];
  if (found)
    throw invalid(argument, `${found} is not taken here: it does more than to stand for what follows`);
}

/** A condition of the reader, unless it stands in a list of its own. Prefixes may stand before each other without end. */
function refuseOptional(text: string, form: SyntaxNode, dialect: Dialect, argument: string): void {
  const left = [form];
  for (let node = left.pop(); node !== undefined; node = left.pop()) {
    if (node.kind !== 'prefixed' || !isBranch(node)) continue;
    const [found] = OPTIONAL[dialect].exec(text.slice(node.start, node.inner)) ?? [];
    if (found) throw invalid(argument, `${found} is not taken here: the reader may leave out what follows`);
    for (const inner of formsOf(node)) left.push(inner);
  }
}

function invalid(argument: string, why: string): HarborError {
  return new HarborError('bad_arguments', `invalid ${argument}: ${why}.`);
}
