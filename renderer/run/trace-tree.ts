/** The calls of a trace as a tree, its filter and its rows. Pure. */
import type { TracedCall } from '../../electron/contract/trace';

export interface CallNode extends TracedCall {
  /** The place in the trace, from 0. */
  place: number;
  children: CallNode[];
}

/** @param calls in the order in which they began, with their depth */
export function callTree(calls: readonly TracedCall[]): CallNode[] {
  const top: CallNode[] = [];
  const path: CallNode[] = [];
  for (const [place, call] of calls.entries()) {
    const node: CallNode = { ...call, place, children: [] };
    path.length = Math.min(path.length, call.depth);
    (path.at(-1)?.children ?? top).push(node);
    path.push(node);
  }
  return top;
}

export interface CallFilter {
  /** A part of names, arguments or values; '' for all. */
  text: string;
  /** The deepest shown level, from 1; null for all. */
  depth: number | null;
}

export interface CallRow {
  node: CallNode;
  level: number;
  /** Null if no callees are shown. */
  open: boolean | null;
}

/**
 * Returns the visible rows: calls that match, with the calls around them.
 * @param closed places of calls whose callees the user hides
 */
export function callRows(
  tree: readonly CallNode[],
  filter: CallFilter,
  closed: ReadonlySet<number>,
): CallRow[] {
  const text = filter.text.trim().toLowerCase();
  const rows = (nodes: readonly CallNode[], level: number): CallRow[] =>
    nodes.flatMap((node) => {
      const isTooDeep = filter.depth !== null && level >= filter.depth;
      const inside = isTooDeep ? [] : rows(node.children, level + 1);
      if (text !== '' && inside.length === 0 && !matches(node, text)) return [];
      const open = inside.length === 0 ? null : !closed.has(node.place);
      return [{ node, level, open }, ...(open ? inside : [])];
    });
  return rows(tree, 1);
}

function matches({ name, arguments: given, values }: CallNode, text: string): boolean {
  return `${name}\n${given}\n${values ?? ''}`.toLowerCase().includes(text);
}
