/** How views are laid out: the frame of each, its titled parts, and what stays closed until it is wanted. */
import { ChevronRight } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import styles from './view.module.css';

interface ViewProps {
  title: string;
  /** Fields and buttons to the right of the heading. */
  tools?: ReactNode;
  children: ReactNode;
}

/** The frame of a view: its heading with what belongs beside it, and the room below. */
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

/** One titled part of a view that is read from top to bottom. */
export function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={styles.part} aria-label={title}>
      <h2>{title}</h2>
      <div className={styles.content}>{children}</div>
    </section>
  );
}

/** A line that opens what is below it. Nothing of that is drawn before. */
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
