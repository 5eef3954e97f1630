/** Replays Clojure and nbb code: evaluates the definitions of an earlier image again, form by form. */

import type { MissingForm } from '../../contract/report';
import { read } from '../../source/reader';
import { type Branch, formsOf, isBranch, type SyntaxNode, walk } from '../../source/syntax-tree';
import { isList } from '../../source/top-level-forms';
import type { Image, ImageOutcome, Replayer } from '../image';
import type { ReplayEntry } from '../optional-groups';
import { clojureData, type PlacedForm, placedForms } from './clojure-code';

/** Maximum number of skipped or failed forms to report, and of characters per form. */
const REPORTED = { forms: 500, characters: 200 } as const;

/** Returns code that enters an existing namespace. */
type Entering = (namespace: string) => string;

export class ClojureReplayer implements Replayer {
  readonly pending = false;
  readonly #entering: Entering;

  constructor(entering: Entering = (namespace) => `(in-ns (symbol ${clojureData(namespace)}))`) {
    this.#entering = entering;
  }

  async replay(image: Image, entries: readonly ReplayEntry[], packageAfter: string): Promise<ImageOutcome> {
    const replay = new Replay(image, this.#entering);
    for (const entry of entries) {
      await replay.entry(entry);
      if (replay.ended) break;
    }
    return replay.outcome(packageAfter);
  }
}

class Replay {
  readonly #image: Image;
  readonly #entering: Entering;
  readonly #missing: MissingForm[] = [];
  #count = 0;
  #missingCount = 0;
  #last: ImageOutcome | null = null;

  constructor(image: Image, entering: Entering) {
    this.#image = image;
    this.#entering = entering;
  }

  /** Whether the image has ended or was interrupted. */
  get ended(): boolean {
    return this.#last?.outcome === 'crashed' || this.#last?.outcome === 'interrupted';
  }

  /** Replays the forms of one evaluation that had completed. */
  async entry({ id, package: namespace, forms: completed, code }: ReplayEntry): Promise<void> {
    const forms = placedForms(code).slice(0, completed.length);
    if (forms.every((form) => replayed(form.code) !== 'again') || (await this.#enter(namespace, id))) {
      for (const form of forms) {
        await this.#form(form, id);
        if (this.ended) return;
      }
    } else for (const form of forms) this.#miss(id, form.code, `there is no namespace ${namespace}`);
  }

  /**
   * The report lists what was restored; an outcome other than `ok` is that of the form which ended the image.
   */
  async outcome(packageAfter: string): Promise<ImageOutcome> {
    if (!this.ended) await this.#enter(packageAfter, 0);
    const replay = { count: this.#count, missing: this.#missing, missingCount: this.#missingCount };
    const nothing = { forms: [], warnings: [], condition: null, notes: [] };
    const ended = this.ended && this.#last ? this.#last : { ...nothing, outcome: 'ok' as const };
    return { ...ended, package: this.#image.package, report: { loaded: [], failures: [], runs: [], replay } };
  }

  async #form(form: PlacedForm, id: number): Promise<void> {
    const what = replayed(form.code);
    if (what === 'left out') this.#miss(id, form.code, 'it defines nothing');
    if (what !== 'again') return;
    const { outcome, condition } = await this.#evaluate(inPlace(form), id);
    if (outcome === 'ok') this.#count += 1;
    else if (condition) this.#miss(id, form.code, `${condition.type}: ${oneLine(condition.message)}`);
  }

  /** Enters an existing namespace; returns false if it does not exist. */
  async #enter(namespace: string, id: number): Promise<boolean> {
    if (this.#image.package === namespace) return true;
    const { outcome } = await this.#evaluate('nil', id, namespace);
    if (outcome !== 'ok') return false;
    await this.#evaluate(this.#entering(namespace), id);
    return this.#image.package === namespace;
  }

  async #evaluate(code: string, id: number, namespace?: string): Promise<ImageOutcome> {
    const where = namespace === undefined ? {} : { package: namespace };
    this.#last = await this.#image.evaluate({ id, code, ...where }, () => undefined);
    return this.#last;
  }

  #miss(id: number, code: string, because: string): void {
    this.#missingCount += 1;
    if (this.#missing.length < REPORTED.forms) this.#missing.push({ id, form: oneLine(code), because });
  }
}

/** Prefixes the form with its original number of lines, so that definitions keep their line numbers. */
function inPlace({ code, line }: PlacedForm): string {
  return `${'\n'.repeat(line)}${code}`;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').slice(0, REPORTED.characters);
}

/** Reports whether a replay of the entries would evaluate anything. */
export function definesAnything(entries: readonly ReplayEntry[]): boolean {
  return entries.some(({ code, forms }) =>
    placedForms(code)
      .slice(0, forms.length)
      .some((form) => replayed(form.code) === 'again'),
  );
}

/**
 * Operators that define something, in addition to names that begin with `def` in any namespace: `defroutes`,
 * `s/def`.
 */
const DEFINING: ReadonlySet<string> = new Set([
  ...['ns', 'in-ns', 'require', 'use', 'import', 'refer', 'refer-clojure', 'alias', 'load', 'load-file'],
  ...['declare', 'extend', 'extend-type', 'extend-protocol', 'derive', 'underive', 'prefer-method'],
  ...['gen-class', 'gen-interface', 'remove-method', 'ns-unmap', 'ns-unalias'],
  ...['lisp-harbor.loading/load-file', 'lisp-harbor.loading/load-namespaces'],
]);

/** Compiler and printer variables, which are set rather than defined. */
const SETTING = /^\*[\w-]+\*$/;

/** Operators that wrap definitions, with the number of arguments before the body. */
const WRAPPERS: ReadonlyMap<string, number> = new Map(Object.entries({ do: 0, let: 1 }));

/** `without effect`: nothing is lost if it is not evaluated again. */
type Replayed = 'again' | 'left out' | 'without effect';

/**
 * Decides whether a top-level form is replayed: definitions and what they need. Everything else is left out,
 * because repeating a side effect such as sending a message could do harm.
 * @param code one form
 */
export function replayed(code: string): Replayed {
  const [form] = formsOf(read(code, 'clojure').tree);
  if (form === undefined || !isBranch(form)) return 'without effect';
  if (!isCall(form, code)) return mayCall(form, code) ? 'left out' : 'without effect';
  if (operatorOf(form, code) === 'comment') return 'without effect';
  return defines(form, code) ? 'again' : 'left out';
}

/** Reports whether the form, or each form that it wraps, defines something. */
function defines(whole: SyntaxNode, code: string): boolean {
  const pending = [whole];
  for (let form = pending.pop(); form !== undefined; form = pending.pop()) {
    if (!isCall(form, code)) return false;
    const operator = operatorOf(form, code);
    if (isDefining(operator) || isSetting(form, operator, code)) continue;
    const before = WRAPPERS.get(operator);
    const body = before === undefined ? [] : formsOf(form).slice(1 + before);
    if (body.length === 0) return false;
    for (const part of body) pending.push(part);
  }
  return true;
}

function isDefining(operator: string): boolean {
  return DEFINING.has(operator) || operator.slice(operator.indexOf('/') + 1).startsWith('def');
}

function isSetting(form: Branch, operator: string, code: string): boolean {
  const [, variable] = formsOf(form);
  return operator === 'set!' && variable !== undefined && SETTING.test(textOf(variable, code));
}

/** A list in parentheses; `#(…)` and `'(…)` are values. */
function isCall(form: SyntaxNode, code: string): form is Branch {
  return isList(form) && code[form.start] === '(';
}

/**
 * Reports whether a form that is not a call may call something: a dereference, or a collection that contains
 * a call.
 */
function mayCall(form: Branch, code: string): boolean {
  const written = textOf(form, code);
  if (written.startsWith('@')) return true;
  return /^(?:\[|#?\{)/.test(written) && [...walk(form)].some(({ node }) => isCall(node, code));
}

/** Returns the operator as written; empty if the list does not begin with a symbol. */
function operatorOf(form: Branch, code: string): string {
  const [first] = formsOf(form);
  return first?.kind === 'token' ? textOf(first, code) : '';
}

function textOf({ start, end }: SyntaxNode, code: string): string {
  return code.slice(start, end);
}
