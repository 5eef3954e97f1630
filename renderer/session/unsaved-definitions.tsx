/** What a session would lose by ending: definitions that no file holds, and the way to write them to one. */
import { FileDown } from 'lucide-react';
import { useUnsaved } from '../image-queries';
import { Button } from '../parts/button';
import { useServices, useWords } from '../services';
import styles from './unsaved-definitions.module.css';

export function UnsavedDefinitions({ session }: { session: string }) {
  const words = useWords();
  const { actions } = useServices();
  const { data, isPending } = useUnsaved(session);
  if (isPending) return <p className={styles.looking}>{words.session.lookingForUnsaved}</p>;
  if (!data || data.total === 0) return null;
  const rest = data.total - data.results.length;
  return (
    <section aria-label={words.session.notInFile} className={styles.unsaved}>
      <p>{words.session.unsaved(data.total)}</p>
      <ul>
        {data.results.map(({ kind, text }) => (
          <li key={`${kind} ${text}`}>
            <code>{text}</code> <span lang="en">{kind}</span>
          </li>
        ))}
        {rest > 0 && <li>{words.session.andMore(words.formats.number(rest))}</li>}
      </ul>
      <Button icon={FileDown} onPress={() => void actions.exportSession(session)}>
        {words.session.export}
      </Button>
    </section>
  );
}
