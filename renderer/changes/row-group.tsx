/** Rows of one kind under a heading, of which only those in view are drawn: what was loaded can have thousands. */
import { useVirtualizer } from '@tanstack/react-virtual';
import {
  type CSSProperties,
  Fragment,
  type ReactNode,
  type RefObject,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import styles from './changes.module.css';

/** Pixels that a folded row of what has changed takes, and one of what is defined. */
export const CHANGE_HEIGHT = 59;
export const DEFINED_HEIGHT = 26;

/** Pixels beyond what is in view within which a group has rows: who walks through them by keys comes to the next group. */
const NEAR = 400;

/** Where a row stands in its group; its item of the list takes all of this. */
export interface PlacedRow {
  ref: (row: HTMLLIElement | null) => void;
  style: CSSProperties;
  'data-index': number;
  'aria-posinset': number;
  'aria-setsize': number;
}

/** Whether a person has unfolded or folded a row, which it still is when it comes into view again. */
export interface Fold {
  isOpen: boolean | undefined;
  onFold: (open: boolean) => void;
}

interface RowGroupProps<Item> {
  title: string;
  items: readonly Item[];
  keyOf: (item: Item) => string;
  /** Pixels that a folded row takes. */
  usualHeight: number;
  children: (item: Item, placed: PlacedRow, fold: Fold) => ReactNode;
}

export function RowGroup<Item>({ title, items, keyOf, usualHeight, children }: RowGroupProps<Item>) {
  const canvas = useRef<HTMLUListElement>(null);
  const folds = useRef(new Map<string, boolean>());
  const above = useHeightAbove(canvas);
  const keyAt = (index: number) => keyOf(items[index] as Item);
  const rows = useVirtualizer({
    count: items.length,
    getScrollElement: () => areaOf(canvas),
    estimateSize: () => usualHeight,
    getItemKey: keyAt,
    scrollMargin: above,
    overscan: 8,
  });
  const height = rows.getTotalSize();
  const seenFrom = rows.scrollOffset ?? 0;
  const seenTo = seenFrom + (rows.scrollRect?.height ?? 0);
  const isNear = above - NEAR < seenTo && seenFrom < above + height + NEAR;
  const placed = (index: number, start: number): PlacedRow => ({
    ref: rows.measureElement,
    style: { transform: `translateY(${start - above}px)` },
    'data-index': index,
    'aria-posinset': index + 1,
    'aria-setsize': items.length,
  });
  const foldOf = (key: string): Fold => ({
    isOpen: folds.current.get(key),
    onFold: (open) => folds.current.set(key, open),
  });
  return (
    <section aria-label={title} className={styles.group}>
      <h3>{title}</h3>
      <ul ref={canvas} className={styles.canvas} style={{ height }}>
        {(isNear ? rows.getVirtualItems() : []).map(({ index, start }) => (
          <Fragment key={keyAt(index)}>
            {children(items[index] as Item, placed(index, start), foldOf(keyAt(index)))}
          </Fragment>
        ))}
      </ul>
    </section>
  );
}

function areaOf({ current }: RefObject<HTMLElement | null>): HTMLElement | null {
  return current?.closest<HTMLElement>('[data-scroll-area]') ?? null;
}

/** Pixels of its area that stand above the list, which other groups in it take. */
function useHeightAbove(list: RefObject<HTMLElement | null>): number {
  const [above, setAbove] = useState(0);
  useLayoutEffect(() => {
    const area = areaOf(list);
    if (!area || !list.current) return;
    const { top } = list.current.getBoundingClientRect();
    setAbove(Math.round(top - area.getBoundingClientRect().top + area.scrollTop));
  });
  return above;
}
