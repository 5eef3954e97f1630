/**
 * Source text as a tree that keeps every character: its leaves in order are the text. Offsets count UTF-16
 * units. A tree can be as deep as the text is long, so nothing here recurs.
 */

/** Text without parts. `stray` is a closing delimiter without an opening one. */
export interface Leaf {
  readonly kind: 'blank' | 'comment' | 'token' | 'string' | 'character' | 'stray';
  readonly start: number;
  readonly end: number;
}

/**
 * `list`: text in delimiters. `prefixed`: a prefix such as a quote, `#+` or `^` with its one or two forms.
 * `discarded`: the same for `#_`, which a reader drops. `text`: the whole.
 */
export interface Branch {
  readonly kind: 'text' | 'list' | 'prefixed' | 'discarded';
  readonly start: number;
  end: number;
  /** End of its opening delimiter or prefix. */
  readonly inner: number;
  /** Whether it has its closing delimiter. */
  closed: boolean;
  readonly children: SyntaxNode[];
}

export type SyntaxNode = Leaf | Branch;

export function isBranch(node: SyntaxNode): node is Branch {
  return 'children' in node;
}

/** Reports whether a reader would return it. */
export function isForm({ kind }: SyntaxNode): boolean {
  return kind !== 'blank' && kind !== 'comment' && kind !== 'stray' && kind !== 'discarded';
}

/** Returns the forms in a branch, without blanks and comments. */
export function formsOf({ children }: Branch): SyntaxNode[] {
  return children.filter(isForm);
}

/** Returns the first form without reading the others. */
export function firstForm({ children }: Branch): SyntaxNode | undefined {
  return children.find(isForm);
}

/**
 * Yields every node below `tree` in text order, each after its ancestors, which `parents` lists from the
 * outermost on. The array is reused and changes as the walk continues.
 */
export function* walk(tree: Branch): Generator<{ node: SyntaxNode; parents: readonly Branch[] }> {
  const parents: Branch[] = [tree];
  const places = [0];
  for (let depth = 0; depth >= 0; depth = parents.length - 1) {
    const place = places[depth] ?? 0;
    const node = parents[depth]?.children[place];
    if (node === undefined) {
      parents.pop();
      places.pop();
      continue;
    }
    places[depth] = place + 1;
    yield { node, parents };
    if (!isBranch(node)) continue;
    parents.push(node);
    places.push(0);
  }
}

/** Returns the text of a tree, joined from its leaves. */
export function printed(tree: Branch, text: string): string {
  const parts: string[] = [];
  let at = tree.start;
  const upTo = (end: number): void => {
    if (end > at) parts.push(text.slice(at, end));
    at = Math.max(at, end);
  };
  for (const { node } of walk(tree)) upTo(isBranch(node) ? node.inner : node.end);
  upTo(tree.end);
  return parts.join('');
}
