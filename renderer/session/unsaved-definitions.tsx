/** What a session would lose by ending: definitions that no file holds, and the way to write them to one. */
import { FileDown } from 'lucide-react';
import { useUnsaved } from '../image-queries';
import { Button } from '../parts/button';
import { count } from '../parts/format';
import { useServices } from '../services';
import styles from './unsaved-definitions.module.css';

export function UnsavedDefinitions({ session }: { session: string }) {
  const { actions } = useServices();
  const { data, isPending } = useUnsaved(session);
  if (isPending) return <p className={styles.looking}>Looking for definitions that are in no file…</p>;
  if (!data || data.total === 0) return null;
  const rest = data.total - data.results.length;
  return (
    <section aria-label="Not in any file" className={styles.unsaved}>
      <p>
        {count(data.total, 'definition')} {data.total === 1 ? 'is' : 'are'} in no file:
      </p>
      <ul>
        {data.results.map(({ kind, text }) => (
          <li key={`${kind} ${text}`}>
            <code>{text}</code> <span>{kind}</span>
          </li>
        ))}
        {rest > 0 && <li>and {rest.toLocaleString('en-US')} more</li>}
      </ul>
      <Button icon={FileDown} onPress={() => void actions.exportSession(session)}>
        Export…
      </Button>
    </section>
  );
}
