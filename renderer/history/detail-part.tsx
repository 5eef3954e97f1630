/** A titled part of what is told of an entry. */
import type { ReactNode } from 'react';
import styles from './evaluation-detail.module.css';

export function Part({ title, tool, children }: { title: string; tool?: ReactNode; children: ReactNode }) {
  return (
    <section className={styles.part} aria-label={title}>
      <header>
        <h3>{title}</h3>
        {tool}
      </header>
      {children}
    </section>
  );
}
