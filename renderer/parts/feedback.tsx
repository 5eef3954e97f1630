/** What a view says when it has nothing to show, and when something failed. */
import { type LucideIcon, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import styles from './feedback.module.css';

interface EmptyProps {
  icon: LucideIcon;
  title: string;
  /** What will appear here. */
  children: ReactNode;
  /** The one action that fills it. */
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

/** A failure or a warning inside a view: what is wrong and what to do. */
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
