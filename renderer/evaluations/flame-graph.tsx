/**
 * Sampler results: a flame graph of folded stacks, callers above callees, and a table of functions. The width
 * of a bar is its share of the samples. Pressing a bar gives it the full width; arrow keys move between bars.
 */

import { type KeyboardEvent, useMemo, useRef, useState } from 'react';
import type { SampledFunction, SampledProfile, SampleShare } from '../../electron/contract/report';
import type { Words } from '../../electron/words/words';
import { Button } from '../parts/button';
import { useWords } from '../services';
import styles from './flame-graph.module.css';

/** Number of functions shown initially. */
const SHOWN = 12;

export function SamplerResult({ profile }: { profile: SampledProfile }) {
  const words = useWords();
  const { samples, functions, folded, omitted } = profile;
  const [whole, setWhole] = useState(false);
  const shown = whole ? functions : functions.slice(0, SHOWN);
  return (
    <div className={styles.result}>
      <FlameGraph folded={folded} root={words.entry.samples(samples)} />
      {omitted.stacks > 0 && (
        <p className={styles.aside}>{words.entry.undrawn(omitted.stacks, omitted.samples)}</p>
      )}
      <FunctionTable functions={shown} />
      {shown.length < functions.length && (
        <div>
          <Button onPress={() => setWhole(true)}>{words.entry.showAll(functions.length)}</Button>
        </div>
      )}
    </div>
  );
}

function FunctionTable({ functions }: { functions: readonly SampledFunction[] }) {
  const words = useWords();
  return (
    <table className={styles.functions} aria-label={words.entry.busiest}>
      <thead>
        <tr>
          <th scope="col">{words.entry.self}</th>
          <th scope="col">{words.entry.total}</th>
          <th scope="col">{words.entry.function}</th>
        </tr>
      </thead>
      <tbody>
        {functions.map(({ name, self, total }) => (
          <tr key={name}>
            <Share share={self} />
            <Share share={total} />
            <th scope="row" title={name}>
              {name}
            </th>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Share({ share: { samples, percent } }: { share: SampleShare }) {
  const words = useWords();
  return <td title={words.entry.samples(samples)}>{percent.toFixed(1)} %</td>;
}

/** Height of a row in pixels, as in the style sheet. */
const ROW = 20;

/** Number of tints, to distinguish neighbors. */
const TINTS = 4;

/** Minimum width, as a share, of a bar that shows its name. Narrower bars show it in the tooltip. */
const NAMED = 0.06;

interface FlameGraphProps {
  folded: string;
  /** Label of the bar for all samples. */
  root: string;
}

function FlameGraph({ folded, root }: FlameGraphProps) {
  const words = useWords();
  const tree = useMemo(() => flameTree(folded, root), [folded, root]);
  const [focus, setFocus] = useState(tree);
  const [current, setCurrent] = useState(tree);
  const area = useRef<HTMLFieldSetElement>(null);
  const bars = useMemo(() => flameBars(focus), [focus]);
  const reachable = bars.some(({ node }) => node === current) ? current : focus;
  const walk = (event: KeyboardEvent) => {
    const next = neighbour(bars, reachable, event.key);
    if (!event.key.startsWith('Arrow')) return;
    event.preventDefault();
    if (!next || !bars.some(({ node }) => node === next)) return;
    setCurrent(next);
    area.current?.querySelector<HTMLElement>(`[data-bar="${next.id}"]`)?.focus();
  };
  const rows = Math.max(...bars.map(({ node }) => node.depth)) + 1;
  return (
    <fieldset
      ref={area}
      aria-label={words.entry.flameGraph}
      className={styles.graph}
      style={{ height: rows * ROW }}
      onKeyDown={walk}
    >
      {bars.map((bar) => (
        <Bar
          key={bar.node.id}
          bar={bar}
          all={tree.samples}
          inTabOrder={bar.node === reachable}
          onFocus={() => setCurrent(bar.node)}
          onPress={() => {
            setFocus(bar.node);
            setCurrent(bar.node);
          }}
        />
      ))}
    </fieldset>
  );
}

interface BarProps {
  bar: FlameBar;
  all: number;
  inTabOrder: boolean;
  onFocus: () => void;
  onPress: () => void;
}

function Bar({ bar: { node, left, width }, all, inTabOrder, onFocus, onPress }: BarProps) {
  const words = useWords();
  const label = `${node.name}: ${share(node, all, words)}`;
  return (
    <button
      type="button"
      data-bar={node.id}
      data-tint={node.parent ? tintOf(node.name) : undefined}
      className={styles.bar}
      style={{ top: node.depth * ROW, left: `${left * 100}%`, width: `${width * 100}%` }}
      tabIndex={inTabOrder ? 0 : -1}
      aria-label={label}
      title={label}
      onFocus={onFocus}
      onClick={onPress}
    >
      {width < NAMED ? null : node.name}
    </button>
  );
}

function share({ samples }: FlameNode, all: number, { entry }: Words): string {
  return `${entry.samples(samples)}, ${((100 * samples) / Math.max(1, all)).toFixed(1)} %`;
}

/** Returns the same tint for the same name. */
function tintOf(name: string): number {
  let sum = 0;
  for (const character of name) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 9973;
  return sum % TINTS;
}

/** A node in the tree of folded stacks (`outer;inner 12`). */
export interface FlameNode {
  /** Unique in the tree. */
  id: number;
  name: string;
  /** Samples in which it was on the stack here, including callees. */
  samples: number;
  depth: number;
  parent: FlameNode | null;
  /** Sorted by samples, descending. */
  children: FlameNode[];
}

/** A node with its position, in shares of the width. */
interface FlameBar {
  node: FlameNode;
  left: number;
  width: number;
}

/** Minimum share of a bar that is drawn. */
const NARROWEST = 1 / 600;

/** @param root name of the node for all samples */
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

/** Returns the bars to draw when `focus` has the full width: its callers above, its callees below. */
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

/**
 * Returns the node to which an arrow key moves: up to the caller, down to the busiest callee, left and right
 * in the row.
 */
export function neighbour(bars: readonly FlameBar[], node: FlameNode, key: string): FlameNode | undefined {
  if (key === 'ArrowUp') return node.parent ?? undefined;
  const row = bars.filter((bar) => bar.node.depth === node.depth).sort((one, other) => one.left - other.left);
  const at = row.findIndex((bar) => bar.node === node);
  if (key === 'ArrowLeft') return row[at - 1]?.node;
  if (key === 'ArrowRight') return row[at + 1]?.node;
  if (key === 'ArrowDown') return bars.find((bar) => bar.node.parent === node)?.node;
  return undefined;
}
