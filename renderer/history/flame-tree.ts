/** Folded stacks (`outer;inner 12`) as a tree, and the bars that a flame graph draws of it. Pure. */

export interface FlameNode {
  /** Unique in its tree. */
  id: number;
  name: string;
  /** Samples in which it was on the stack here, its callees included. */
  samples: number;
  depth: number;
  parent: FlameNode | null;
  /** Most samples first. */
  children: FlameNode[];
}

/** A node with its position in the graph, in shares of the whole width. */
export interface FlameBar {
  node: FlameNode;
  left: number;
  width: number;
}

/** Bars narrower than this share are not drawn: nobody could see or hit them. */
const NARROWEST = 1 / 600;

/** @param root what the node of all samples is called */
export function flameTree(folded: string, root: string): FlameNode {
  let count = 0;
  const node = (name: string, parent: FlameNode | null): FlameNode => {
    count += 1;
    return { id: count, name, samples: 0, depth: (parent?.depth ?? -1) + 1, parent, children: [] };
  };
  const all = node(root, null);
  for (const line of folded.split('\n')) {
    const end = line.lastIndexOf(' ');
    const samples = Number(line.slice(end + 1));
    if (end < 0 || !Number.isSafeInteger(samples)) continue;
    all.samples += samples;
    let at = all;
    for (const name of line.slice(0, end).split(';')) {
      let child = at.children.find((each) => each.name === name);
      if (!child) {
        child = node(name, at);
        at.children.push(child);
      }
      child.samples += samples;
      at = child;
    }
  }
  sortBySamples(all);
  return all;
}

function sortBySamples({ children }: FlameNode): void {
  children.sort((one, other) => other.samples - one.samples);
  for (const child of children) sortBySamples(child);
}

/** The bars to draw when `focus` has the whole width, outermost first: its callers above, what it calls below. */
export function flameBars(focus: FlameNode): FlameBar[] {
  const above: FlameBar[] = [];
  for (let node = focus.parent; node; node = node.parent) above.unshift({ node, left: 0, width: 1 });
  const bars: FlameBar[] = [];
  const place = (node: FlameNode, left: number) => {
    const width = focus.samples === 0 ? 1 : node.samples / focus.samples;
    if (width < NARROWEST) return;
    bars.push({ node, left, width });
    let from = left;
    for (const child of node.children) {
      place(child, from);
      from += child.samples / Math.max(1, focus.samples);
    }
  };
  place(focus, 0);
  return [...above, ...bars];
}

/** Where an arrow key leads from `node`: up to its caller, down to its busiest callee, left and right in its row. */
export function neighbour(bars: readonly FlameBar[], node: FlameNode, key: string): FlameNode | undefined {
  if (key === 'ArrowUp') return node.parent ?? undefined;
  const row = bars.filter((bar) => bar.node.depth === node.depth).sort((one, other) => one.left - other.left);
  const at = row.findIndex((bar) => bar.node === node);
  if (key === 'ArrowLeft') return row[at - 1]?.node;
  if (key === 'ArrowRight') return row[at + 1]?.node;
  if (key === 'ArrowDown') return bars.find((bar) => bar.node.parent === node)?.node;
  return undefined;
}
