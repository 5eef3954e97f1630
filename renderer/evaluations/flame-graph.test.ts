/** Folded stacks as bars of a flame graph. */
import { describe, expect, it } from 'vitest';
import { type FlameNode, flameBars, flameTree, neighbour } from './flame-graph';

const FOLDED = ['main;draw;line 6', 'main;read 3', 'main;draw 1', 'idle 10', 'a b;(FLET C :IN d) 20'].join(
  '\n',
);

const all = flameTree(FOLDED, 'all');

function named(name: string, node: FlameNode = all): FlameNode {
  const found = find(name, node);
  if (!found) throw new Error(`there is no ${name}`);
  return found;
}

function find(name: string, node: FlameNode): FlameNode | undefined {
  if (node.name === name) return node;
  for (const child of node.children) {
    const found = find(name, child);
    if (found) return found;
  }
  return undefined;
}

const shown = (focus: FlameNode) =>
  flameBars(focus).map(({ node, left, width }) => [
    node.name,
    Number(left.toFixed(3)),
    Number(width.toFixed(3)),
  ]);

describe('the tree', () => {
  it('adds stacks up, the busiest branch first', () => {
    expect(all.samples).toBe(40);
    expect(all.children.map(({ name, samples }) => [name, samples])).toEqual([
      ['a b', 20],
      ['main', 10],
      ['idle', 10],
    ]);
    expect(named('draw')).toMatchObject({ samples: 7, depth: 2 });
    expect(named('(FLET C :IN d)').parent?.name).toBe('a b');
  });

  it('of no stacks, or of lines that are none, is the root alone', () => {
    for (const folded of ['', 'nothing', 'x y']) expect(flameTree(folded, 'all').children).toEqual([]);
    expect(shown(flameTree('', 'all'))).toEqual([['all', 0, 1]]);
  });
});

describe('the bars', () => {
  it('of the whole stand below their callers, as wide as their share', () => {
    expect(shown(all)).toEqual([
      ['all', 0, 1],
      ['a b', 0, 0.5],
      ['(FLET C :IN d)', 0, 0.5],
      ['main', 0.5, 0.25],
      ['draw', 0.5, 0.175],
      ['line', 0.5, 0.15],
      ['read', 0.675, 0.075],
      ['idle', 0.75, 0.25],
    ]);
  });

  it('of one that was chosen keep what leads to it', () => {
    expect(shown(named('draw'))).toEqual([
      ['all', 0, 1],
      ['main', 0, 1],
      ['draw', 0, 1],
      ['line', 0, 0.857],
    ]);
  });

  it('omit bars that are too narrow', () => {
    expect(shown(flameTree('busy 10000\nrare 1', 'all')).map(([name]) => name)).toEqual(['all', 'busy']);
  });
});

it('arrow keys lead to the caller, the busiest callee and the neighbours of a row', () => {
  const bars = flameBars(all);
  const from = (name: string, key: string) => neighbour(bars, named(name), key)?.name;
  expect(from('main', 'ArrowUp')).toBe('all');
  expect(from('main', 'ArrowDown')).toBe('draw');
  expect(from('main', 'ArrowLeft')).toBe('a b');
  expect(from('main', 'ArrowRight')).toBe('idle');
  expect(from('draw', 'ArrowLeft')).toBe('(FLET C :IN d)');
  expect([
    from('all', 'ArrowUp'),
    from('idle', 'ArrowRight'),
    from('line', 'ArrowDown'),
    from('main', 'x'),
  ]).toEqual([undefined, undefined, undefined, undefined]);
});
