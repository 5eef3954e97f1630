/**
 * Lists: rows with icon and buttons, names that can be removed, and long lists that render only the visible
 * rows.
 */

import { useVirtualizer } from '@tanstack/react-virtual';
import { type LucideIcon, X } from 'lucide-react';
import {
  type CSSProperties,
  Fragment,
  type ReactNode,
  type RefObject,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { useWords } from '../services';
import { IconButton } from './button';
import styles from './list.module.css';

export function Rows({ title, children }: { title: string; children: ReactNode }) {
  const heading = useId();
  return (
    <section className={styles.rows} aria-labelledby={heading}>
      <h2 id={heading}>{title}</h2>
      {children}
    </section>
  );
}

interface RowProps {
  icon: LucideIcon;
  tone?: 'quiet' | 'good' | 'active' | 'warn' | 'bad';
  title: ReactNode;
  about?: ReactNode;
  children?: ReactNode;
}

/** A list item: icon, title, details and buttons. */
export function Row({ icon: Icon, tone = 'quiet', title, about, children }: RowProps) {
  return (
    <li className={styles.row} data-tone={tone}>
      <Icon size={14} strokeWidth={2.2} aria-hidden />
      <div className={styles.text}>
        <p>{title}</p>
        {about && <p className={styles.about}>{about}</p>}
      </div>
      {children && <div className={styles.buttons}>{children}</div>}
    </li>
  );
}

interface LinkButtonProps {
  href: string;
  kind?: 'plain' | 'primary';
  /** Accessible name; starts with the visible text. */
  label: string;
  children: ReactNode;
}

/** A link to another view that looks like a button. */
export function LinkButton({ href, kind = 'plain', label, children }: LinkButtonProps) {
  return (
    <a className={styles.link} data-kind={kind} href={href} aria-label={label}>
      {children}
    </a>
  );
}

export interface NamedItem {
  key: string;
  /** The full name: a path, an address or a pattern. */
  name: string;
  /** The name as shown, if it is shortened; the tooltip then has the full name. */
  text?: string;
  /** A few words after the name. */
  mark?: string | undefined;
  onRemove: () => void;
}

/** A list of names, each with a button that removes it. Renders nothing if it is empty. */
export function NamedList({ label, items }: { label: string; items: readonly NamedItem[] }) {
  const words = useWords();
  if (items.length === 0) return null;
  return (
    <ul className={styles.named} aria-label={label}>
      {items.map(({ key, name, text, mark, onRemove }) => (
        <li key={key}>
          <code title={text === undefined ? undefined : name}>{text ?? name}</code>
          {mark !== undefined && <span className={styles.mark}>{mark}</span>}
          <IconButton icon={X} label={words.common.remove(name)} onPress={onRemove} />
        </li>
      ))}
    </ul>
  );
}

/** Height in pixels of a folded row: of a change, and of a definition. */
export const CHANGE_HEIGHT = 59;
export const DEFINED_HEIGHT = 26;

/**
 * Distance in pixels from the visible area within which a group renders rows, so that the keyboard can reach
 * the next group.
 */
const NEAR = 400;

/** Position of a row in its group, as attributes of its list item. */
export interface PlacedRow {
  ref: (row: HTMLLIElement | null) => void;
  style: CSSProperties;
  'data-index': number;
  'aria-posinset': number;
  'aria-setsize': number;
}

/** Whether a row is unfolded. The state survives scrolling. */
export interface Fold {
  isOpen: boolean | undefined;
  onFold: (open: boolean) => void;
}

interface RowGroupProps<Item> {
  title: string;
  items: readonly Item[];
  keyOf: (item: Item) => string;
  /** Height in pixels of a folded row. */
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

/** Height in pixels of the content above the list in its scroll area, such as other groups. */
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
