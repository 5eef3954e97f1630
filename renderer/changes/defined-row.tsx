/** A definition by its title, which leads to what the image knows of it. */
import type { ReactNode } from 'react';
import type { SessionView } from '../../electron/contract/model';
import { dialectOf } from '../../electron/source/dialect';
import { useServices, useWords } from '../services';
import styles from './changes.module.css';
import type { PlacedRow } from './row-group';

interface DefinedRowProps {
  session: SessionView;
  definition: { title: string; name: string; package: string };
  /** Where it is. */
  about: ReactNode;
  /** Absent in a list that is drawn whole. */
  placed?: PlacedRow;
}

export function DefinedRow({ session, definition, about, placed }: DefinedRowProps) {
  const words = useWords();
  const { actions } = useServices();
  const { title, name, package: here } = definition;
  const separator = dialectOf(session.engine) === 'clojure' ? '/' : '::';
  return (
    <li className={styles.defined} {...placed}>
      <button
        type="button"
        translate="no"
        onClick={() => actions.browse(session.id, `${here}${separator}${name}`)}
      >
        {title}
      </button>
      <span className={styles.about}>
        <span title={words.changes.inPackage(here)}>{here}</span>
        {about}
      </span>
    </li>
  );
}
