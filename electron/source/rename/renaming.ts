/** Request and result of a rename, as changes in texts; and names in comments and strings. */

import { HarborError } from '../../contract/errors';
import type { Note } from '../../contract/note';
import type { Dialect } from '../dialect';
import type { Source } from '../reader';
import { type SyntaxNode, walk } from '../syntax-tree';
import { Positions } from '../text';

export interface SourceFile {
  /** Path as shown. */
  path: string;
  source: Source;
}

export const TEXT_KINDS = ['comments', 'strings', 'keywords'] as const;
export type TextKind = (typeof TEXT_KINDS)[number];

export interface RenameRequest {
  /** The symbol, with or without its package or namespace. */
  name: string;
  newName: string;
  /** The file in which an unqualified name is resolved; null: any file with the name. */
  path: string | null;
  also: ReadonlySet<TextKind>;
}

export interface Change {
  start: number;
  end: number;
  put: string;
}

/** Text that looks like the name and is not changed. `kind` says what it is. */
export interface UnchangedMatch {
  kind: string;
  start: number;
}

export interface FileRenaming {
  file: SourceFile;
  changes: Change[];
  left: UnchangedMatch[];
}

export interface Renaming {
  /** Qualified: `shop:price`, `shop.core/price`. */
  symbol: string;
  files: FileRenaming[];
  notes: Note[];
}

/** Returns the text with all changes. */
export function changedText({ file: { source }, changes }: FileRenaming): string {
  let [text, at] = ['', 0];
  for (const { start, end, put } of changes.toSorted((one, other) => one.start - other.start)) {
    text += source.text.slice(at, start) + put;
    at = end;
  }
  return text + source.text.slice(at);
}

/** Returns a place as text for errors. */
export function placeText({ path, source }: SourceFile, offset: number): string {
  return `${path}:${new Positions(source.text).line(offset)}`;
}

export function refusal(message: string): HarborError {
  return new HarborError('bad_arguments', message);
}

/** Lists the first names and the number of the others. */
export function listFirst(names: readonly string[], shown = 5): string {
  const more = names.length - shown;
  return `${names.slice(0, shown).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** The name in a comment or a string: a whole word, with or without a qualifier. */
interface Mention {
  kind: 'comments' | 'strings';
  /** Offset of the name without its qualifier. */
  start: number;
  end: number;
  /** The qualifier, without its colons or slash; null for none. */
  qualifier: string | null;
}

/** Characters of a symbol. A dot or a colon at its end belongs to the sentence. */
const CONSTITUENT = String.raw`[\p{L}\p{N}!$%&*+\-./:<=>?@^_~#]`;
const QUALIFIER = {
  'common-lisp': String.raw`(?:([\p{L}\p{N}!$%&*+\-./<=>?@^_~]+)::?)?`,
  clojure: String.raw`(?:([\p{L}\p{N}!$%&*+\-.<=>?_]+)/)?`,
};

/**
 * @param name compared without case in Common Lisp
 * @param but offsets of text that was read as a name, which may be in a string
 */
export function mentions(source: Source, name: string, but: ReadonlySet<number>): Mention[] {
  const { dialect, text } = source;
  if (!holds(text, name, dialect)) return [];
  const word = `(?<!${CONSTITUENT})${QUALIFIER[dialect]}(${escaped(name)})(?=[.:?!]*(?!${CONSTITUENT}))`;
  const pattern = new RegExp(word, dialect === 'clojure' ? 'gu' : 'giu');
  let leftTo = 0;
  return [...walk(source.tree)].flatMap(({ node }) => {
    const kind = node.start < leftTo ? null : kindOf(node);
    if (kind === null || but.has(node.start + 1)) return [];
    leftTo = node.end;
    return [...text.slice(node.start, node.end).matchAll(pattern)].map(
      ({ index, 0: whole, 1: qualifier = null, 2: own = '' }) => {
        const end = node.start + index + whole.length;
        return { kind, start: end - own.length, end, qualifier };
      },
    );
  });
}

function holds(text: string, name: string, dialect: Dialect): boolean {
  return dialect === 'clojure' ? text.includes(name) : text.toLowerCase().includes(name.toLowerCase());
}

/** Text that `#_` discards counts as a comment. */
function kindOf({ kind }: SyntaxNode): Mention['kind'] | null {
  if (kind === 'comment' || kind === 'discarded') return 'comments';
  return kind === 'string' ? 'strings' : null;
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, (character) => `\\${character}`);
}
