/** A line of what has changed: what and how, where it is from, what can be done with it, and what unfolds below. */
import { ChevronRight } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { KEEPS_FOCUS } from '../kept-focus';
import { Diff } from '../parts/diff';
import { formatRoute, START_ROUTE } from '../route';
import { useWords } from '../services';
import styles from './changes.module.css';
import type { PlacedRow } from './row-group';

interface ChangeRowProps {
  /** What has changed, as code shows it. */
  name: string;
  /** What became of it. */
  mark: ReactNode;
  /** Where it is, and who did it when. */
  about: ReactNode;
  /** Buttons. */
  children?: ReactNode;
  /** What it unfolds to; absent: nothing. */
  below?: ReactNode;
  isOpen?: boolean | undefined;
  /** Told when it is unfolded and folded. */
  onFold: (open: boolean) => void;
  placed: PlacedRow;
}

export function ChangeRow({
  name,
  mark,
  about,
  children,
  below,
  isOpen = false,
  onFold,
  placed,
}: ChangeRowProps) {
  const [open, setOpen] = useState(isOpen);
  const belowId = useId();
  const fold = () => {
    setOpen(!open);
    onFold(!open);
  };
  return (
    <li className={styles.row} aria-label={name} {...KEEPS_FOCUS} {...placed}>
      <div className={styles.line}>
        {below === undefined ? (
          <span className={styles.name} translate="no">
            {name}
          </span>
        ) : (
          <button
            type="button"
            translate="no"
            className={styles.name}
            aria-expanded={open}
            aria-controls={belowId}
            onClick={fold}
          >
            <ChevronRight size={12} aria-hidden />
            {name}
          </button>
        )}
        {mark}
      </div>
      <div className={styles.foot}>
        <p className={styles.about}>{about}</p>
        <span className={styles.buttons}>{children}</span>
      </div>
      <div id={belowId} hidden={!open}>
        {open && below}
      </div>
    </li>
  );
}

/** @param diff null where the texts cannot be compared */
export function Difference({ name, diff }: { name: string; diff: string | null }) {
  const words = useWords();
  if (diff === null) return <p className={styles.about}>{words.changes.incomparable}</p>;
  return <Diff diff={diff} label={words.changes.differenceOf(name)} />;
}

export function EvaluationLink({ evaluation }: { evaluation: number }) {
  return <a href={formatRoute({ ...START_ROUTE, view: 'history', evaluation })}>#{evaluation}</a>;
}
