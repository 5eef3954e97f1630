/** The frame of every view: its heading with what belongs beside it, and the room below. */
import type { ReactNode } from 'react';
import styles from './view.module.css';

interface ViewProps {
  title: string;
  /** Fields and buttons to the right of the heading. */
  tools?: ReactNode;
  children: ReactNode;
}

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
