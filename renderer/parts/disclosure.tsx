/** A line that opens what is below it; that is not drawn before. */
import { ChevronRight } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import styles from './disclosure.module.css';

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
