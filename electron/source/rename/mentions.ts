/** Names in comments and strings: whole words, with or without a package or namespace before them. */
import type { Dialect } from '../dialect';
import type { Source } from '../reader';
import { type SyntaxNode, walk } from '../syntax-tree';

export interface Mention {
  kind: 'comments' | 'strings';
  /** Of the name alone. */
  start: number;
  end: number;
  /** What is written before it, without its colons or its slash; null for nothing. */
  qualifier: string | null;
}

/** What may be in a symbol; a point or a colon at its end belongs to the sentence. */
const CONSTITUENT = String.raw`[\p{L}\p{N}!$%&*+\-./:<=>?@^_~#]`;
const QUALIFIER = {
  'common-lisp': String.raw`(?:([\p{L}\p{N}!$%&*+\-./<=>?@^_~]+)::?)?`,
  clojure: String.raw`(?:([\p{L}\p{N}!$%&*+\-.<=>?_]+)/)?`,
};

/** @param name without regard to case in Common Lisp
 * @param but where what is read as a name begins, which a string may be too */
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

/** What `#_` leaves out is a comment. */
function kindOf({ kind }: SyntaxNode): Mention['kind'] | null {
  if (kind === 'comment' || kind === 'discarded') return 'comments';
  return kind === 'string' ? 'strings' : null;
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, (character) => `\\${character}`);
}
