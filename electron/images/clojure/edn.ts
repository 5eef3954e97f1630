/**
 * Reads Clojure text as data without evaluating anything. Takes every token of Clojure's reader; what is no data
 * (`~x`, `#=(…)`, `#"…"`, tagged values) becomes an `Unusable` with its place, and the rest keeps its value.
 */

import { problemOffset } from '../../source/diagnosis';
import { read } from '../../source/reader';
import { type Branch, formsOf, isBranch, type SyntaxNode } from '../../source/syntax-tree';

/** A symbol as written, or a keyword with its colon. */
export class EdnName {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** Text that only evaluation or a reader function would turn into a value. */
export class Unusable {
  readonly text: string;
  readonly offset: number;

  constructor(text: string, offset: number) {
    this.text = text;
    this.offset = offset;
  }
}

/** Lists, vectors and sets become arrays; map keys are strings as written, without quotes. */
export type EdnValue = string | number | boolean | null | EdnName | Unusable | EdnValue[] | EdnMap;
export type EdnMap = Map<string, EdnValue>;

/** Maximum nesting of collections. */
const DEEPEST = 1_000;

export interface EdnText {
  /** The top-level forms; of broken text, those before the problem. */
  forms: readonly EdnValue[];
  /** Offset at which the text is broken; null if it is complete. */
  broken: number | null;
}

/** Reads all forms of a text. */
export function readEdn(text: string): EdnText {
  const { tree, problem } = read(text, 'clojure');
  const broken = problem === null ? null : problemOffset(problem);
  const whole = formsOf(tree).filter((form) => broken === null || form.end <= broken);
  return { forms: new EdnReader(text).values(whole, 0), broken };
}

class EdnReader {
  readonly #text: string;
  /** Literals by the name that `(def name literal)` gives them. */
  readonly #defined = new Map<string, EdnValue>();

  constructor(text: string) {
    this.#text = text;
  }

  /** Returns the values of forms. A reader conditional may read as nothing, or as several. */
  values(forms: readonly SyntaxNode[], depth: number): EdnValue[] {
    return forms.flatMap((form) => {
      const value = this.#value(form, depth);
      return value instanceof Spliced ? value.items : [value];
    });
  }

  #value(node: SyntaxNode, depth: number): EdnValue {
    if (depth > DEEPEST) return this.#unusable(node);
    const written = this.#text.slice(node.start, node.end);
    if (node.kind === 'string') return written.startsWith('#') ? this.#unusable(node) : stringValue(written);
    if (node.kind === 'character') return characterValue(written);
    if (!isBranch(node)) return atomValue(written);
    if (node.kind === 'prefixed') return this.#prefixed(node, written, depth);
    const items = this.values(formsOf(node), depth + 1);
    if (written.startsWith('{')) return mapOf(items);
    if (depth === 0) this.#define(items);
    return items;
  }

  #prefixed(node: Branch, written: string, depth: number): EdnValue {
    const prefix = this.#text.slice(node.start, node.inner);
    const forms = formsOf(node);
    const last = forms.at(-1);
    if (last === undefined) return this.#unusable(node);
    const inner = () => this.#value(last, depth + 1);
    if (prefix.startsWith('^') || prefix.startsWith('#^') || prefix === "'" || prefix === '`') return inner();
    if (written.startsWith('#{') && isBranch(last)) return this.values(formsOf(last), depth + 1);
    if (written.startsWith('#?') && isBranch(last))
      return this.#conditional(last, depth, written.startsWith('#?@'));
    if (written.startsWith('#:')) return this.#qualified(inner(), written.slice(2, last.start - node.start));
    if (written.startsWith('##')) return NUMBERS.get(written) ?? this.#unusable(node);
    if (prefix === '~') return this.#unquoted(inner(), node);
    return this.#unusable(node);
  }

  /** Chooses as Clojure on the JVM does. */
  #conditional(choices: Branch, depth: number, isSpliced: boolean): EdnValue {
    const items = this.values(formsOf(choices), depth + 1);
    for (let at = 0; at + 1 < items.length; at += 2) {
      const key = items[at];
      if (!(key instanceof EdnName) || ![':clj', ':default'].includes(key.name)) continue;
      const chosen = items[at + 1] ?? null;
      return isSpliced && Array.isArray(chosen) ? new Spliced(chosen) : chosen;
    }
    return new Spliced([]);
  }

  /** Reads `#:a{:b 1}` as `{:a/b 1}`. */
  #qualified(value: EdnValue, namespace: string): EdnValue {
    if (!(value instanceof Map)) return value;
    const name = namespace.trim().replace(/^:/, '');
    const qualified = (key: string) =>
      /^:[^/]+$/.test(key) && name !== '' ? `:${name}/${key.slice(1)}` : key;
    return new Map([...value].map(([key, each]) => [qualified(key).replace(/^:_\//, ':'), each]));
  }

  /** A name that the file itself gives to a literal stands for it, as does an unquoted literal. */
  #unquoted(value: EdnValue, node: Branch): EdnValue {
    if (typeof value === 'string' || typeof value === 'number') return value;
    const known = value instanceof EdnName ? this.#defined.get(value.name) : undefined;
    return known ?? this.#unusable(node);
  }

  #define(items: readonly EdnValue[]): void {
    const [operator, name] = items;
    const value = items.at(-1);
    const defines = operator instanceof EdnName && ['def', 'defonce'].includes(operator.name);
    if (!defines || items.length < 3 || !(name instanceof EdnName)) return;
    if (typeof value === 'string' || typeof value === 'number') this.#defined.set(name.name, value);
  }

  #unusable({ start, end }: SyntaxNode): Unusable {
    return new Unusable(this.#text.slice(start, end), start);
  }
}

/** The values of a reader conditional in the collection around it. */
class Spliced extends Unusable {
  readonly items: readonly EdnValue[];

  constructor(items: readonly EdnValue[]) {
    super('', 0);
    this.items = items;
  }
}

function mapOf(entries: readonly EdnValue[]): EdnMap {
  const map: EdnMap = new Map();
  for (let at = 0; at + 1 < entries.length; at += 2) map.set(keyText(entries[at]), entries[at + 1] ?? null);
  return map;
}

function keyText(key: EdnValue | undefined): string {
  return key instanceof EdnName ? key.name : key instanceof Unusable ? key.text : String(key);
}

const NUMBERS: ReadonlyMap<string, number> = new Map([
  ['##Inf', Number.POSITIVE_INFINITY],
  ['##-Inf', Number.NEGATIVE_INFINITY],
  ['##NaN', Number.NaN],
]);

function atomValue(atom: string): EdnValue {
  if (atom === 'nil') return null;
  if (atom === 'true' || atom === 'false') return atom === 'true';
  return /^[+-]?\d/.test(atom) ? Number.parseFloat(atom) : new EdnName(atom);
}

const CHARACTERS: ReadonlyMap<string, string> = new Map(
  Object.entries({ newline: '\n', tab: '\t', return: '\r', space: ' ', formfeed: '\f', backspace: '\b' }),
);

function characterValue(written: string): string {
  const name = written.slice(1);
  const code = /^u([\da-fA-F]{4})$/.exec(name)?.[1];
  return code ? String.fromCharCode(Number.parseInt(code, 16)) : (CHARACTERS.get(name) ?? name);
}

const ESCAPES: ReadonlyMap<string, string> = new Map(Object.entries({ n: '\n', t: '\t', r: '\r' }));

function stringValue(written: string): string {
  return written
    .slice(1, -1)
    .replace(/\\([\s\S])/g, (_, character: string) => ESCAPES.get(character) ?? character);
}
