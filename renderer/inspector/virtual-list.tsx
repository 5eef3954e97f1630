/**
 * A list of any length that renders only the visible rows. Browsers limit the height of elements, so very
 * long lists are shown in sections.
 */

import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react';
import { Input, TextField } from 'react-aria-components';
import { Button } from '../parts/button';
import fields from '../parts/field.module.css';
import { useWords } from '../services';
import styles from './inspector.module.css';

/** Maximum number of rows of one section. The limit of browsers is about 33 million pixels. */
const STRETCH = 1_000_000;
const ROW_HEIGHT = 24;
/** Lists with more rows than this have a field to go to a row by its number. */
const LONG = 200;

interface VirtualListProps {
  label: string;
  total: number;
  head?: ReactNode;
  /** Renders the visible rows, each at its `top` offset in pixels. */
  children: (rows: readonly { index: number; top: number }[]) => ReactNode;
}

export function VirtualList({ label, total, head, children }: VirtualListProps) {
  const area = useRef<HTMLElement>(null);
  const [from, setFrom] = useState(0);
  const count = Math.min(STRETCH, Math.max(0, total - from));
  const rows = useVirtualizer({
    count,
    getScrollElement: () => area.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 10,
  });
  const goTo = (index: number) => {
    const to = Math.min(Math.max(index, 0), total - 1);
    const stretch = Math.floor(to / STRETCH) * STRETCH;
    setFrom(stretch);
    rows.scrollToIndex(to - stretch, { align: 'start' });
  };
  const items = rows.getVirtualItems().map(({ index, start }) => ({ index: from + index, top: start }));
  return (
    <>
      {total > LONG && <GoTo total={total} from={from} count={count} onGoTo={goTo} />}
      {head}
      <section ref={area} className={styles.rows} aria-label={label} onKeyDown={walk}>
        <div style={{ height: rows.getTotalSize() }} className={styles.canvas}>
          {children(items)}
        </div>
      </section>
    </>
  );
}

/** Moves the focus between rows with the arrow keys, and scrolls to rows that are not rendered. */
function walk(event: KeyboardEvent<HTMLElement>): void {
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const row = event.target instanceof Element ? event.target.closest('[data-row]') : null;
  if (by === undefined || !row || event.target instanceof HTMLInputElement) return;
  const next = event.currentTarget.querySelector(`[data-row="${Number(row.getAttribute('data-row')) + by}"]`);
  const button = next?.querySelector('button');
  if (!button) return;
  event.preventDefault();
  button.focus();
  button.scrollIntoView({ block: 'nearest' });
}

interface GoToProps {
  total: number;
  from: number;
  count: number;
  onGoTo: (index: number) => void;
}

function GoTo({ total, from, count, onGoTo }: GoToProps) {
  const words = useWords();
  const [typed, setTyped] = useState('');
  const { number } = words.formats;
  return (
    <form
      aria-label={words.inspector.goToPart}
      className={styles.goTo}
      onSubmit={(event) => {
        event.preventDefault();
        if (/^\d+$/.test(typed.trim())) onGoTo(Number(typed));
      }}
    >
      <span>
        {count < total
          ? words.inspector.stretch(number(from), number(from + count - 1), number(total))
          : words.inspector.parts(number(total))}
      </span>
      <TextField aria-label={words.inspector.numberOfPart} value={typed} onChange={setTyped}>
        <Input className={fields.text ?? ''} inputMode="numeric" placeholder={words.inspector.number} />
      </TextField>
      <Button type="submit">{words.inspector.goTo}</Button>
    </form>
  );
}
