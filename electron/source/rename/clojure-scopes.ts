/**
 * Walks Clojure code and classifies symbols: free, local, quoted, or names of methods. Scopes are tracked
 * only for two names, the old and the new one of a rename.
 */
import { branches, isCall, isConditional, isVector, listed, textOf, unqualified } from '../names/namespaces';
import type { Source } from '../reader';
import { type Branch, formsOf, isBranch, type SyntaxNode } from '../syntax-tree';

/** The names that are locals: the sum of `OLD` and `NEW`. */
type Env = number;
export const OLD = 1;
export const NEW = 2;

export interface Seen {
  node: SyntaxNode;
  /** `code`: evaluated; `syntax`: inside a syntax quote, where symbols do not refer to locals. */
  as: 'code' | 'syntax' | 'quoted' | 'local' | 'method';
  env: Env;
  /** For a method: the symbol of its protocol as written there. */
  protocol?: string;
}

interface Task {
  node: SyntaxNode;
  env: Env;
  isQuoted: boolean;
  /** Depth of nested syntax quotes. */
  depth: number;
}

/** @param form at top level @param visit called for every symbol and keyword, in no particular order */
export function walkScopes(
  form: SyntaxNode,
  source: Source,
  names: { old: string; new: string },
  visit: (seen: Seen) => void,
): void {
  new Walk(source, names, visit).run(form);
}

class Walk {
  readonly #source: Source;
  readonly #names: { old: string; new: string };
  readonly #visit: (seen: Seen) => void;
  readonly #tasks: Task[] = [];

  constructor(source: Source, names: { old: string; new: string }, visit: (seen: Seen) => void) {
    this.#source = source;
    this.#names = names;
    this.#visit = visit;
  }

  run(form: SyntaxNode): void {
    this.#tasks.push({ node: form, env: 0, isQuoted: false, depth: 0 });
    for (let task = this.#tasks.pop(); task !== undefined; task = this.#tasks.pop()) this.#step(task);
  }

  #step(task: Task): void {
    const { node, env, isQuoted, depth } = task;
    if (!isBranch(node)) {
      if (node.kind !== 'token') return;
      const as = isQuoted ? 'quoted' : depth > 0 ? 'syntax' : 'code';
      this.#visit({ node, as, env: depth > 0 ? 0 : env });
    } else if (node.kind === 'prefixed') this.#prefixed(node, task);
    else if (node.kind === 'list' && this.#source.text[node.start] === '(' && !isQuoted && depth === 0)
      this.#form(formsOf(node), env);
    else this.#all(node.children, task);
  }

  #prefixed(node: Branch, task: Task): void {
    const prefix = this.#source.text.slice(node.start, node.inner);
    const parts = isConditional(node, this.#source) ? branches(node, this.#source) : node.children;
    this.#all(parts, { ...task, ...behind(prefix, task) });
  }

  #all(nodes: readonly SyntaxNode[], task: Task): void {
    for (const node of nodes) this.#tasks.push({ ...task, node });
  }

  #code(nodes: readonly SyntaxNode[], env: Env): void {
    for (const node of nodes) this.#tasks.push({ node, env, isQuoted: false, depth: 0 });
  }

  /** Walks a list in parentheses that is evaluated. */
  #form(parts: readonly SyntaxNode[], env: Env): void {
    const [operator, ...rest] = parts;
    const name = operator?.kind === 'token' ? unqualified(textOf(operator, this.#source)) : '';
    if (operator) this.#code([operator], env);
    const [first, ...more] = rest;
    if (first === undefined) return;
    if (LETS.test(name)) this.#let(first, more, env, /^if-/.test(name));
    else if (SEQUENCES.test(name)) this.#code(more, this.#pairs(first, env));
    else if (FUNCTIONS.test(name)) this.#function(rest, env);
    else if (name === 'defmethod') {
      this.#code([first], 0);
      this.#code(more.slice(0, 1), env);
      this.#function(more.slice(1), env);
    } else if (DEFINED_FUNCTIONS.test(name)) {
      this.#code([first], 0);
      this.#arities(more, env);
    } else if (TYPES.test(name)) this.#type(first, more, env);
    else if (name === 'defprotocol') this.#protocol(first, more, env);
    else this.#otherForm(name, first, more, env);
  }

  #otherForm(name: string, first: SyntaxNode, more: readonly SyntaxNode[], env: Env): void {
    if (name === 'reify') this.#methods([first, ...more], env, null);
    else if (name === 'proxy') {
      this.#code([first, ...more.slice(0, 1)], env);
      this.#methods(more.slice(1), env, null);
    } else if (name === 'extend-type') {
      this.#code([first], env);
      this.#methods(more, env, null);
    } else if (name === 'extend-protocol') {
      this.#code([first], env);
      this.#methods(more, env, textOf(first, this.#source));
    } else if (name === 'letfn') this.#letfn(first, more, env);
    else if (name === 'as->' || name === 'catch') {
      this.#code([first], env);
      const [named, ...body] = more;
      if (named) this.#code(body, env | this.#pattern(named, env));
    } else if (name === 'case') this.#case(first, more, env);
    else if (name === 'quote') this.#all([first, ...more], { node: first, env, isQuoted: true, depth: 0 });
    else {
      // A definition or `var` names a var, whatever locals there are.
      this.#code([first], name === 'var' || name === 'declare' || name.startsWith('def') ? 0 : env);
      this.#code(more, name === 'declare' ? 0 : env);
    }
  }

  #let(bindings: SyntaxNode, body: readonly SyntaxNode[], env: Env, isIf: boolean): void {
    const inner = this.#pairs(bindings, env);
    this.#code(isIf ? body.slice(0, 1) : body, inner);
    if (isIf) this.#code(body.slice(1), env);
  }

  /** Walks sequential bindings; each is visible in the next. */
  #pairs(bindings: SyntaxNode, env: Env): Env {
    if (!isVector(bindings, this.#source)) {
      this.#code([bindings], env);
      return env;
    }
    const written = listed(bindings).flatMap((each) =>
      this.#source.text.startsWith('#?@', each.start) ? branches(each, this.#source) : [each],
    );
    const isLet = (node: SyntaxNode | undefined) =>
      node !== undefined && textOf(node, this.#source) === ':let';
    // In a sequence, `:let` contains bindings too, but no nested `:let`.
    const forms = written.flatMap((each, at) => {
      if (at % 2 === 0) return isLet(each) ? [] : [each];
      return isLet(written[at - 1]) ? listed(each) : [each];
    });
    let inner = env;
    for (let at = 0; at < forms.length; at += 2) {
      const [pattern, value] = [forms[at], forms[at + 1]];
      if (!pattern) break;
      if (value) this.#code([value], inner);
      if (!textOf(pattern, this.#source).startsWith(':')) inner |= this.#pattern(pattern, inner);
    }
    return inner;
  }

  /** Walks the parts after the operator of `fn`, or after the dispatch value of a method. */
  #function(parts: readonly SyntaxNode[], env: Env): void {
    const [name, ...rest] = parts;
    if (name?.kind === 'token') this.#arities(rest, env | this.#pattern(name, env));
    else this.#arities(parts, env);
  }

  /** Walks parameters and a body, or several of them in lists. */
  #arities(parts: readonly SyntaxNode[], env: Env): void {
    for (const [index, part] of parts.entries()) {
      if (isVector(part, this.#source)) {
        this.#code(parts.slice(index + 1), env | this.#pattern(part, env));
        return;
      }
      const [first] = isCall(part, this.#source) ? listed(part) : [];
      if (first && isVector(first, this.#source))
        this.#code(listed(part).slice(1), env | this.#pattern(first, env));
      else this.#code([part], env);
    }
  }

  #letfn(bindings: SyntaxNode, body: readonly SyntaxNode[], env: Env): void {
    const functions = listed(bindings).map(listed);
    let inner = env;
    for (const [name] of functions) if (name) inner |= this.#pattern(name, env);
    for (const [, ...rest] of functions) this.#arities(rest, inner);
    this.#code(body, inner);
  }

  #type(name: SyntaxNode, [fields, ...body]: readonly SyntaxNode[], env: Env): void {
    this.#code([name], 0);
    const inner = fields ? env | this.#pattern(fields, env) : env;
    this.#methods(body, inner, null);
  }

  /** @param protocol of all methods, if it precedes the types */
  #methods(parts: readonly SyntaxNode[], env: Env, protocol: string | null): void {
    let current = protocol;
    for (const part of parts) {
      const [name, ...rest] = isCall(part, this.#source) ? listed(part) : [];
      if (name?.kind !== 'token') {
        if (protocol === null && part.kind === 'token') current = textOf(part, this.#source);
        this.#code([part], env);
        continue;
      }
      this.#visit({ node: name, as: 'method', env, ...(current === null ? {} : { protocol: current }) });
      this.#arities(rest, env);
    }
  }

  #protocol(name: SyntaxNode, parts: readonly SyntaxNode[], env: Env): void {
    this.#code([name], 0);
    for (const part of parts) {
      const [method, ...rest] = isCall(part, this.#source) ? listed(part) : [];
      if (method) this.#code([method], 0);
      for (const each of rest) if (isVector(each, this.#source)) this.#pattern(each, env);
    }
  }

  /** Tests of a `case` are not evaluated. */
  #case(value: SyntaxNode, clauses: readonly SyntaxNode[], env: Env): void {
    this.#code([value], env);
    for (const [index, clause] of clauses.entries()) {
      const isTest = index % 2 === 0 && index + 1 < clauses.length;
      if (isTest) this.#tasks.push({ node: clause, env, isQuoted: true, depth: 0 });
      else this.#code([clause], env);
    }
  }

  /** Returns the names that a destructuring pattern binds, and walks the expressions in it. */
  #pattern(pattern: SyntaxNode, env: Env): Env {
    let bound = 0;
    const left = [pattern];
    for (let node = left.pop(); node !== undefined; node = left.pop()) {
      if (node.kind === 'token') bound |= this.#local(node, env);
      if (!isBranch(node)) continue;
      if (isConditional(node, this.#source)) addAll(left, branches(node, this.#source));
      else if (node.kind === 'prefixed') {
        const parts = formsOf(node);
        this.#code(parts.slice(0, -1), env);
        addAll(left, parts.slice(-1));
      } else if (this.#source.text[node.start] === '{') this.#mapPattern(formsOf(node), env, left);
      else addAll(left, formsOf(node));
    }
    return bound;
  }

  #mapPattern(parts: readonly SyntaxNode[], env: Env, left: SyntaxNode[]): void {
    for (let at = 0; at + 1 < parts.length; at += 2) {
      const [key, value] = [parts[at] as SyntaxNode, parts[at + 1] as SyntaxNode];
      const name = textOf(key, this.#source);
      if (/^:.*\b(?:keys|syms|strs)$/.test(name)) addAll(left, listed(value));
      else if (name === ':as') left.push(value);
      else if (name === ':or')
        this.#code(
          listed(value).filter((_, index) => index % 2 === 1),
          env,
        );
      else {
        left.push(key);
        this.#code([value], env);
      }
    }
  }

  #local(node: SyntaxNode, env: Env): Env {
    const name = unqualified(textOf(node, this.#source)).replace(/^:+/, '');
    this.#visit({ node, as: 'local', env });
    if (name === this.#names.old) return OLD;
    return name === this.#names.new ? NEW : 0;
  }
}

/** Returns how a prefix changes the context of the next form. */
function behind(prefix: string, { depth }: Task): Partial<Task> {
  if (prefix === "'") return depth === 0 ? { isQuoted: true } : {};
  if (prefix === '`') return { depth: depth + 1 };
  if (prefix.startsWith('~')) return { depth: Math.max(0, depth - 1), isQuoted: false };
  return prefix === "#'" ? { env: 0 } : {};
}

/** Appends like `push`, which accepts only a limited number of arguments. */
function addAll(nodes: SyntaxNode[], more: readonly SyntaxNode[]): void {
  for (const node of more) nodes.push(node);
}

/** Operators with a vector of names and values. */
const LETS =
  /^(?:let\*?|loop\*?|if-let|when-let|if-some|when-some|with-open|with-local-vars|dotimes|when-first|go-loop)$/;
/** The same, with modifiers such as `:let`. */
const SEQUENCES = /^(?:for|doseq)$/;
/** Operators with parameters, optionally after a name. */
const FUNCTIONS = /^(?:fn\*?|bound-fn)$/;
const DEFINED_FUNCTIONS = /^(?:>?defn-?|defmacro|defmethod|definline|defnk?|deftest-?)$/;
/** Operators with fields, which are visible in their methods. */
const TYPES = /^(?:defrecord|deftype)$/;
