/**
 * Source text as a tree that keeps every character: the leaves, one after another, are the text. Offsets count UTF-16
 * units. Trees may be as deep as the text is long, so nothing here recurs.
 */

/** Text that has no parts. `stray` is a closing delimiter that closes nothing. */
export interface Leaf {
  readonly kind: 'blank' | 'comment' | 'token' | 'string' | 'character' | 'stray';
  readonly start: number;
  readonly end: number;
}

/**
 * `list`: in delimiters. `prefixed`: what begins with something like a quote, `#+` or `^`, and the form or two that belong
 * to it. `discarded`: the same for `#_`, which no reader gives to anybody. `text`: the whole.
 */
export interface Branch {
  readonly kind: 'text' | 'list' | 'prefixed' | 'discarded';
  readonly start: number;
  end: number;
  /** Where its opening delimiter or its prefix ends. */
  readonly inner: number;
  /** Whether it has its closing delimiter. */
  closed: boolean;
  readonly children: SyntaxNode[];
}

export type SyntaxNode = Leaf | Branch;

export function isBranch(node: SyntaxNode): node is Branch {
  return 'children' in node;
}

/** Whether a reader would give it to somebody. */
export function isForm({ kind }: SyntaxNode): boolean {
  return kind !== 'blank' && kind !== 'comment' && kind !== 'stray' && kind !== 'discarded';
}

/** What stands in a branch, without what is between. */
export function formsOf({ children }: Branch): SyntaxNode[] {
  return children.filter(isForm);
}

/** The first of them, found without a look at all that follow. */
export function firstForm({ children }: Branch): SyntaxNode | undefined {
  return children.find(isForm);
}

/** Every node below `tree` in the order of the text, each after those that it is in, which `parents` lists from the
 * outermost on. The list is the walk's own: it changes as the walk goes on. */
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

/** The text of a tree, put together again from its parts. */
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
