/** Names that have a part in them, of the person's own package first. */
import type { SessionView } from '../../electron/contract/model';
import { useFindings } from '../image-queries';
import { Disclosure } from '../parts/view';
import { useServices, useWords } from '../services';
import styles from './browse.module.css';

export function NamesWith({ session, part }: { session: SessionView; part: string }) {
  const words = useWords();
  const bare = part.replace(/^.*(?:::?|\/)(?=.)/, '');
  return (
    <div className={styles.uses}>
      <Disclosure title={words.browse.namesWith(bare)}>
        <Found session={session} part={bare} />
      </Disclosure>
    </div>
  );
}

function Found({ session, part }: { session: SessionView; part: string }) {
  const words = useWords();
  const { actions } = useServices();
  const { data, error } = useFindings(session.id, 'apropos', part);
  if (error) return <p className={styles.hint}>{error.message}</p>;
  if (!data) return <p className={styles.hint}>{words.browse.looking}</p>;
  return (
    <>
      <ul aria-label={words.browse.names}>
        {data.results.map(({ kind, text, documentation }) => (
          <li key={`${kind} ${text}`}>
            <button type="button" onClick={() => actions.browse(session.id, text)}>
              <code>{text}</code>
            </button>
            <span lang="en" title={documentation}>
              {kind}
            </span>
          </li>
        ))}
      </ul>
      <p className={styles.hint}>{words.browse.nameCount(data.total)}</p>
    </>
  );
}
