/** Layout of views: frame, titled parts, disclosures, empty states and problems. */

import { ChevronRight, type LucideIcon, TriangleAlert } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import styles from './view.module.css';

interface ViewProps {
  title: string;
  /** Controls to the right of the heading. */
  tools?: ReactNode;
  children: ReactNode;
}

/** The frame of a view: heading, controls and content. */
export function View({ title, tools, children }: ViewProps) {
  return (
    <main className={styles.view}>
      <header className={styles.head}>
        <h1>{title}</h1>
        {tools && <div className={styles.tools}>{tools}</div>}
      </header>
      {children}
    </main>
  );
}

/** A titled part of a view. */
export function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={styles.part} aria-label={title}>
      <h2>{title}</h2>
      <div className={styles.content}>{children}</div>
    </section>
  );
}

/** A line that unfolds its content. The content is rendered only while it is open. */
export function Disclosure({ title, children }: { title: string; children: ReactNode }) {
  const [open, setOpen] = useState(false);
  return (
    <details className={styles.disclosure} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <ChevronRight size={12} aria-hidden />
        {title}
      </summary>
      {open && children}
    </details>
  );
}

interface EmptyProps {
  icon: LucideIcon;
  title: string;
  /** Describes what will appear here. */
  children: ReactNode;
  /** Button that adds the first item. */
  action?: ReactNode;
}

export function Empty({ icon: Icon, title, children, action }: EmptyProps) {
  return (
    <div className={styles.empty}>
      <Icon size={22} strokeWidth={1.5} aria-hidden />
      <h2>{title}</h2>
      <p>{children}</p>
      {action}
    </div>
  );
}

/** A failure or a warning: what is wrong and what to do. */
export function Problem({
  tone = 'bad',
  children,
  action,
}: {
  tone?: 'bad' | 'warn';
  children: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className={styles.problem} data-tone={tone} role={tone === 'bad' ? 'alert' : 'note'}>
      <TriangleAlert size={14} aria-hidden />
      <p>{children}</p>
      {action}
    </div>
  );
}

/** Pairs each item with its index as a key, for lists that only grow at the end and never reorder. */
export function keyed<T>(items: readonly T[]): readonly { key: string; item: T }[] {
  return items.map((item, index) => ({ key: String(index), item }));
}
