/** Where files of Clojure name a namespace: what requires it, and names, keywords and classes that are written with it. */
import { textOf } from '../names/clojure-forms';
import type { Source } from '../reader';
import { formsOf, isBranch, type SyntaxNode, walk } from '../syntax-tree';

/** Offsets in the text, in their order. */
export function namespacePlaces(source: Source, namespace: string): number[] {
  const point = namespace.lastIndexOf('.');
  const [prefix, last] = [namespace.slice(0, Math.max(point, 0)), namespace.slice(point + 1)];
  const isListed = (lists: readonly SyntaxNode[]) =>
    lists.slice(-2).some((each) => beginsWith(each, prefix, source));
  const places: number[] = [];
  for (const { node, parents } of walk(source.tree)) {
    const written = node.kind === 'token' ? textOf(node, source) : '';
    if (isWrittenWith(written, namespace) || (written === last && isListed(parents))) places.push(node.start);
  }
  return places;
}

/** The name itself, or one with it in front: `shop.core/price`, `:shop.core/price`, the class `shop.core.Item`. */
function isWrittenWith(written: string, namespace: string): boolean {
  const symbol = written.replace(/^:+/, '');
  if (symbol === namespace || symbol.startsWith(`${namespace}/`)) return true;
  const [owner = ''] = symbol.split(/\.(?=\p{Lu})/u);
  return owner === namespace.replaceAll('-', '_');
}

/** Whether it is a list of what begins alike: `(shop [core :as c])`. */
function beginsWith(list: SyntaxNode, prefix: string, source: Source): boolean {
  const [first] = isBranch(list) ? formsOf(list) : [];
  return first?.kind === 'token' && prefix !== '' && textOf(first, source) === prefix;
}
