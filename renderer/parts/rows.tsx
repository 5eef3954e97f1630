/** Rows of Home: a mark, a sentence with what there is to know below it, and buttons to the right. */
import type { LucideIcon } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import styles from './rows.module.css';

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
  /** Buttons. */
  children?: ReactNode;
}

/** An item of a list. */
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
  /** Its whole name, which begins with what it shows. */
  label: string;
  children: ReactNode;
}

/** Leads to another view, and looks like a button. */
export function LinkButton({ href, kind = 'plain', label, children }: LinkButtonProps) {
  return (
    <a className={styles.link} data-kind={kind} href={href} aria-label={label}>
      {children}
    </a>
  );
}
