/** The text of a file as the reader sees it, and what is at a place in it. Offsets and columns count UTF-16 units. */
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Position, Range } from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { packagesOf } from '../source/defined-forms';
import { type Dialect, dialectOfFile } from '../source/dialect';
import { type FileSource, readFile } from '../source/own-syntax';
import { type Branch, formsOf, isBranch, type SyntaxNode } from '../source/syntax-tree';
import {
  behindPrefixes,
  isDefiner,
  isList,
  plainName,
  type TopLevelForm,
  topLevelForms,
  withoutPackage,
} from '../source/top-level-forms';

/** A symbol as written. */
export interface NamePlace {
  written: string;
  start: number;
  end: number;
  /** Its package or namespace prefix is read here; absent: the text does not tell. */
  package?: string;
}

export interface Definition {
  form: TopLevelForm;
  name: NonNullable<TopLevelForm['name']>;
  /** The node of its name. */
  node: SyntaxNode;
}

/** The call around a place: its operator, and which argument is there, from 0. */
export interface CallPlace extends NamePlace {
  argument: number;
}

export class LispText {
  readonly uri: string;
  /** The real path of a file; null for a text without one. */
  readonly path: string | null;
  readonly document: TextDocument;
  readonly source: FileSource;
  #forms: readonly TopLevelForm[] | null = null;
  #packageAt: ((offset: number) => string) | null = null;

  /** Returns null for a text that is no Lisp. */
  static of(document: TextDocument): LispText | null {
    const known = KNOWN.get(document);
    if (known?.version === document.version) return known.text;
    const path = pathOf(document.uri);
    const ofFile = path === null ? null : dialectOfFile(path);
    const dialect = ofFile ?? LANGUAGES.get(document.languageId) ?? null;
    const text = dialect === null ? null : new LispText(document, path, dialect);
    KNOWN.set(document, { version: document.version, text });
    return text;
  }

  /** A file that is not open. */
  static ofFile(path: string, text: string): LispText | null {
    const dialect = dialectOfFile(path);
    if (dialect === null) return null;
    return new LispText(TextDocument.create(pathToFileURL(path).href, 'lisp', 0, text), path, dialect);
  }

  private constructor(document: TextDocument, path: string | null, dialect: Dialect) {
    this.uri = document.uri;
    this.path = path;
    this.document = document;
    this.source = readFile(document.getText(), dialect);
  }

  get dialect(): Dialect {
    return this.source.dialect;
  }

  get text(): string {
    return this.source.text;
  }

  /** The top-level forms in text order, with definitions inside of them. */
  get forms(): readonly TopLevelForm[] {
    this.#forms ??= topLevelForms(this.source);
    return this.#forms;
  }

  /** The forms that are inside of no other. */
  get outerForms(): readonly TopLevelForm[] {
    return this.forms.filter(({ depth }) => depth === 0);
  }

  /** Whether it is a book of ACL2, which names its package by a string. */
  get isBook(): boolean {
    return (
      this.dialect === 'common-lisp' &&
      (/\.acl2$/i.test(this.path ?? '') || /^[^\S\n]*\(in-package\s+"/im.test(this.text))
    );
  }

  get definitions(): Definition[] {
    return this.forms.flatMap((form) => {
      const { name } = form;
      if (name === null || !isDefiner(form.type) || !isList(form.form)) return [];
      const [, named] = formsOf(form.form);
      return named === undefined ? [] : [{ form, name, node: nameNode(named) }];
    });
  }

  offset(position: Position): number {
    return this.document.offsetAt(position);
  }

  range({ start, end }: { start: number; end: number }): Range {
    return { start: this.document.positionAt(start), end: this.document.positionAt(end) };
  }

  /** Returns the package or namespace that is current at an offset; undefined before the file enters one. */
  packageAt(offset: number): string | undefined {
    this.#packageAt ??= packagesOf(this.source, '');
    return this.#packageAt(offset) || undefined;
  }

  /** Returns the innermost node around an offset, after all branches around it, outermost first. */
  nodesAt(offset: number): SyntaxNode[] {
    const nodes: SyntaxNode[] = [];
    for (let branch: Branch | null = this.source.tree; branch !== null; ) {
      const found: SyntaxNode | undefined = nodeAround(branch, offset);
      if (found) nodes.push(found);
      branch = found && isBranch(found) ? found : null;
    }
    return nodes;
  }

  /** Returns the symbol at an offset, also directly behind it. */
  nameAt(offset: number): NamePlace | null {
    const node = [this.nodesAt(offset).at(-1), this.nodesAt(offset - 1).at(-1)].find(
      (each) => each?.kind === 'token',
    );
    return node ? this.#place(node) : null;
  }

  /** Returns the innermost call around an offset whose operator is a symbol. */
  callAt(offset: number): CallPlace | null {
    for (const node of this.nodesAt(offset).reverse()) {
      if (!isList(node) || node.start >= offset || this.text[node.start] !== '(') continue;
      const [operator, ...rest] = formsOf(node);
      if (operator?.kind !== 'token' || operator.end >= offset) continue;
      const argument = rest.filter(({ end }) => end < offset).length;
      return { ...this.#place(operator), argument };
    }
    return null;
  }

  /** Returns the top-level form around an offset, or the last one before it on its line. */
  formAt(offset: number): TopLevelForm | null {
    const outer = this.outerForms;
    const around = outer.find(({ whole }) => whole.start <= offset && offset <= whole.end);
    const line = this.text.lastIndexOf('\n', offset - 1) + 1;
    return around ?? outer.findLast(({ whole }) => whole.end > line && whole.end <= offset) ?? null;
  }

  /** Returns the places of a name between two offsets, compared without packages. */
  placesOf(name: string, from = 0, to = this.text.length): { start: number; end: number }[] {
    const sought = bareName(name, this.dialect);
    const places: { start: number; end: number }[] = [];
    const open: SyntaxNode[] = [this.source.tree];
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      if (node.end <= from || node.start >= to) continue;
      if (isBranch(node)) open.push(...node.children.toReversed());
      else if (node.kind === 'token' && this.#isNamed(node, sought)) places.push(node);
    }
    return places;
  }

  #isNamed(node: SyntaxNode, sought: string): boolean {
    const written = this.text.slice(node.start, node.end);
    return !written.startsWith(':') && bareName(written, this.dialect) === sought;
  }

  #place({ start, end }: SyntaxNode): NamePlace {
    const here = this.packageAt(start);
    return {
      ...{ written: this.text.slice(start, end), start, end },
      ...(here === undefined ? {} : { package: here }),
    };
  }
}

const KNOWN = new WeakMap<TextDocument, { version: number; text: LispText | null }>();

const LANGUAGES: ReadonlyMap<string, Dialect> = new Map([
  ...['lisp', 'commonlisp', 'common-lisp', 'acl2'].map((name) => [name, 'common-lisp'] as const),
  ...['clojure', 'clojurescript', 'edn'].map((name) => [name, 'clojure'] as const),
]);

/** Returns null for a URI that names no file. */
export function pathOf(uri: string): string | null {
  try {
    return uri.startsWith('file:') ? fileURLToPath(uri) : null;
  } catch {
    return null;
  }
}

export function bareName(name: string, dialect: Dialect): string {
  return withoutPackage(plainName(name, dialect), dialect);
}

/** Returns the symbol in `(setf area)` and `(point (:include …))`. */
function nameNode(written: SyntaxNode): SyntaxNode {
  const named = behindPrefixes(written);
  if (!isList(named)) return named;
  const [first, second] = formsOf(named);
  return (second?.kind === 'token' && first?.kind === 'token' && second) || first || named;
}

function nodeAround({ children }: Branch, offset: number): SyntaxNode | undefined {
  let [low, high] = [0, children.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((children[middle]?.end ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  const found = children[low];
  return found && found.start <= offset ? found : undefined;
}
