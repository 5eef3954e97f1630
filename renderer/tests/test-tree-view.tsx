/** The tree of tests: arrow keys move, expand and collapse, Enter runs. */

import { Check, ChevronRight, CircleDashed, CircleDot, type LucideIcon, X } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { ScrollArea } from '../parts/scroll-area';
import { Duration } from '../parts/text';
import { useServices, useViewState, useWords } from '../services';
import {
  countsOf,
  leavesOf,
  rowsOf,
  stateOf,
  type TestNode,
  type TestRow,
  type TestState,
} from './test-tree';
import styles from './tests.module.css';

export const TEST_ICONS: Readonly<Record<TestState, LucideIcon>> = {
  passed: Check,
  failed: X,
  error: X,
  running: CircleDot,
  never: CircleDashed,
};

interface TestTreeViewProps {
  tree: readonly TestNode[];
  onRun: (node: TestNode) => void;
}

export function TestTreeView({ tree, onRun }: TestTreeViewProps) {
  const words = useWords();
  const { viewState } = useServices();
  const { selected, opened } = useViewState(({ tests }) => tests);
  const area = useRef<HTMLDivElement>(null);
  const rows = rowsOf(tree, opened);
  const at = Math.max(
    0,
    rows.findIndex(({ node }) => node.key === selected),
  );
  const choose = (node: TestNode) =>
    viewState.setState(({ tests }) => ({ tests: { ...tests, selected: node.key } }));
  const setOpen = (node: TestNode, open: boolean) =>
    viewState.setState(({ tests }) => ({
      tests: { ...tests, opened: { ...tests.opened, [node.key]: open } },
    }));
  useFollowSelection(area, selected);
  const press = (event: KeyboardEvent) => {
    const row = rows[at];
    if (!row || event.ctrlKey || event.altKey || event.metaKey) return;
    const to = targetOf(event.key, rows, at);
    if (to) choose(to.node);
    else if (event.key === 'ArrowRight' && row.open === false) setOpen(row.node, true);
    else if (event.key === 'ArrowLeft' && row.open) setOpen(row.node, false);
    else if (event.key === 'Enter') onRun(row.node);
    else return;
    event.preventDefault();
  };
  return (
    <ScrollArea label={words.tests.tree} className={styles.treeArea}>
      <div ref={area} role="tree" aria-label={words.tests.tree} onKeyDown={press}>
        {rows.map((row, index) => (
          <TestRowView
            key={row.node.key}
            row={row}
            isCurrent={index === at}
            isSelected={row.node.key === selected}
            onChoose={() => choose(row.node)}
            onOpen={(open) => setOpen(row.node, open)}
            onRun={() => onRun(row.node)}
          />
        ))}
      </div>
    </ScrollArea>
  );
}

/** Scrolls to the selected row, and moves the focus to it if that was in another row. */
function useFollowSelection(area: React.RefObject<HTMLDivElement | null>, selected: string | null): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another selection moves
  useEffect(() => {
    const row = area.current?.querySelector<HTMLElement>('[aria-selected=true]');
    row?.scrollIntoView({ block: 'nearest' });
    if (document.activeElement?.closest('[role=tree]') === area.current) row?.focus();
  }, [selected]);
}

/** Returns the row to which a key moves. */
function targetOf(key: string, rows: readonly TestRow[], at: number): TestRow | undefined {
  const row = rows[at];
  if (key === 'ArrowDown') return rows[at + 1];
  if (key === 'ArrowUp') return rows[at - 1];
  if (key === 'Home') return rows[0];
  if (key === 'End') return rows.at(-1);
  if (key === 'ArrowRight' && row?.open) return rows[at + 1];
  if (key === 'ArrowLeft' && !row?.open) return rows.find(({ node }) => node === row?.above);
  return undefined;
}

interface TestRowProps {
  row: TestRow;
  /** Whether it is the tab stop. */
  isCurrent: boolean;
  isSelected: boolean;
  onChoose: () => void;
  onOpen: (open: boolean) => void;
  onRun: () => void;
}

function TestRowView({ row, isCurrent, isSelected, onChoose, onOpen, onRun }: TestRowProps) {
  const words = useWords();
  const { node, level, place, count, open } = row;
  const state = stateOf(node);
  const Icon = TEST_ICONS[state];
  const title = node.title || words.tests.others;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree handles its keys
    <div
      role="treeitem"
      aria-level={level}
      aria-posinset={place}
      aria-setsize={count}
      aria-selected={isSelected}
      {...(open === null ? {} : { 'aria-expanded': open })}
      tabIndex={isCurrent ? 0 : -1}
      className={styles.row}
      data-state={state}
      data-kind={node.kind}
      style={{ '--level': level - 1 } as object}
      onClick={onChoose}
      onDoubleClick={onRun}
    >
      <span
        className={styles.toggle}
        onClick={(event) => {
          if (open === null) return;
          event.stopPropagation();
          onOpen(!open);
        }}
        aria-hidden
      >
        {open !== null && <ChevronRight size={12} />}
      </span>
      <Icon size={13} strokeWidth={2.2} className={styles.state} aria-hidden />
      <span className={styles.name} translate="no" title={title}>
        {title}
      </span>
      <span className={styles.about}>
        <RowState node={node} state={state} />
      </span>
    </div>
  );
}

function RowState({ node, state }: { node: TestNode; state: TestState }) {
  const words = useWords();
  if (node.children.length === 0)
    return (
      <>
        {words.tests.states[state]}
        {node.result?.since !== undefined && <Duration ms={null} since={node.result.since} before=" · " />}
      </>
    );
  const counts = countsOf([node]);
  const failures = counts.failed + counts.error;
  const parts = [
    ...(failures > 0 ? [words.tests.failed(failures)] : []),
    ...(counts.passed > 0 ? [words.tests.passed(counts.passed)] : []),
  ];
  return parts.length > 0 ? parts.join(', ') : words.tests.tests(leavesOf(node).length);
}
