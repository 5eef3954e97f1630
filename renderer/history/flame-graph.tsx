/**
 * A flame graph of folded stacks: callers above, callees below. The width of a bar is its share of the samples. A bar
 * that is pressed gets the whole width; the arrow keys walk from bar to bar.
 */
import { type KeyboardEvent, useMemo, useRef, useState } from 'react';
import type { Words } from '../../electron/words/words';
import { useWords } from '../services';
import styles from './flame-graph.module.css';
import { type FlameBar, type FlameNode, flameBars, flameTree, neighbour } from './flame-tree';

/** Pixels of a row, as the style has them. */
const ROW = 20;

/** How many tints there are, so that neighbours can be told apart. */
const TINTS = 4;

/** Narrower bars, as shares of the width, show no name: two letters say nothing. Their tooltip has it. */
const NAMED = 0.06;

interface FlameGraphProps {
  folded: string;
  /** What the bar of all samples says. */
  root: string;
}

export function FlameGraph({ folded, root }: FlameGraphProps) {
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

/** The same name has the same tint wherever it stands. */
function tintOf(name: string): number {
  let sum = 0;
  for (const character of name) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 9973;
  return sum % TINTS;
}
