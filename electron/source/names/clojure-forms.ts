/** Forms of Clojure as namespaces and scopes look at them: what they hold, and what a reader conditional chooses from. */
import { behindPrefixes } from '../form-name';
import type { Source } from '../reader';
import { formsOf, isBranch, type SyntaxNode } from '../syntax-tree';

/** Elements of a list or a vector behind quotes; none of what is none. */
export function listed(node: SyntaxNode): SyntaxNode[] {
  const form = behindPrefixes(node);
  return isBranch(form) ? formsOf(form) : [];
}

/** The node, or what a reader conditional chooses from. */
export function branches(node: SyntaxNode, source: Source): SyntaxNode[] {
  if (!isConditional(node, source)) return [node];
  const chosen = listed(node).filter((_, index) => index % 2 === 1);
  const isSpliced = source.text.startsWith('#?@', node.start);
  return isSpliced ? chosen.flatMap(listed) : chosen;
}

export function isConditional({ start }: SyntaxNode, { text }: Source): boolean {
  return text.startsWith('#?', start);
}

export function textOf({ start, end }: SyntaxNode, { text }: Source): string {
  return text.slice(start, end);
}

/** Without its namespace. */
export function unqualified(symbol: string): string {
  return symbol.replace(/^[^/]+\/(?=.)/, '');
}

export function isVector(node: SyntaxNode, { text }: Source): boolean {
  const form = behindPrefixes(node);
  return form.kind === 'list' && text[form.start] === '[';
}

export function isCall(node: SyntaxNode, { text }: Source): boolean {
  return node.kind === 'list' && text[node.start] === '(';
}
