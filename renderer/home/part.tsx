/** One titled part of a view that is read from top to bottom. */
import type { ReactNode } from 'react';
import styles from './home-view.module.css';

export function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={styles.part} aria-label={title}>
      <h2>{title}</h2>
      <div className={styles.content}>{children}</div>
    </section>
  );
}
