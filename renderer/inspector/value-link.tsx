/** A printed value that links to the inspector. */
import type { InspectFrom } from '../../electron/contract/inspection';
import type { SessionView } from '../../electron/contract/model';
import { useServices, useWords } from '../services';
import styles from './value-link.module.css';

interface ValueLinkProps {
  session: SessionView;
  text: string;
  /** null for a value that cannot be inspected. */
  from: InspectFrom | null;
}

export function ValueLink({ session, text, from }: ValueLinkProps) {
  const words = useWords();
  const { actions } = useServices();
  if (from === null) return <code className={styles.value}>{text}</code>;
  return (
    <button
      type="button"
      className={styles.value}
      title={words.inspector.lookInto}
      onClick={() => actions.inspect(session.id, from)}
    >
      <code>{text}</code>
    </button>
  );
}
