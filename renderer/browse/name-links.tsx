/** Names in a row, each of which leads to what it stands for. */
import type { SessionView } from '../../electron/contract/model';
import { useServices } from '../services';
import styles from './browse.module.css';

interface NameLinksProps {
  session: SessionView;
  title: string;
  names: readonly string[];
  /** The package whose names they are, where that is not said with them. */
  within?: string;
}

export function NameLinks({ session, title, names, within }: NameLinksProps) {
  const { actions } = useServices();
  if (names.length === 0) return null;
  return (
    <div className={styles.line}>
      <span>{title}</span>
      <ul className={styles.links} aria-label={title}>
        {names.map((name) => (
          <li key={name}>
            <button
              type="button"
              onClick={() =>
                actions.browse(session.id, within === undefined ? name : qualified(session, within, name))
              }
            >
              <code>{name}</code>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

function qualified({ engine }: SessionView, within: string, name: string): string {
  return ['clojure', 'nrepl', 'nbb'].includes(engine) ? `${within}/${name}` : `${within}::${name}`;
}
