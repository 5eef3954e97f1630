/** Who uses a name, found in the image when a person opens the line. */
import type { SessionView } from '../../electron/contract/model';
import { useFindings } from '../image-queries';
import { Problem } from '../parts/feedback';
import { Disclosure } from '../parts/view';
import { useServices, useWords } from '../services';
import styles from './browse.module.css';
import { SourceLine } from './source-line';

interface UsesProps {
  session: SessionView;
  name: string;
  kind: 'callers' | 'references';
  title: string;
}

export function Uses({ title, ...use }: UsesProps) {
  return (
    <div className={styles.uses}>
      <Disclosure title={title}>
        <Found {...use} />
      </Disclosure>
    </div>
  );
}

function Found({ session, name, kind }: Omit<UsesProps, 'title'>) {
  const words = useWords();
  const { actions } = useServices();
  const { data, error } = useFindings(session.id, kind, name);
  if (error) return <Problem tone="warn">{error.message}</Problem>;
  if (!data) return <p className={styles.hint}>{words.browse.looking}</p>;
  return (
    <>
      <ul aria-label={words.browse.uses[kind]}>
        {data.results.map(({ kind: use, text, source }) => (
          <li key={`${use} ${text} ${source?.line ?? ''}`}>
            <button type="button" onClick={() => actions.browse(session.id, text)}>
              <code>{text}</code>
            </button>
            <span lang="en">{use}</span>
            {source && <SourceLine session={session} source={source} />}
          </li>
        ))}
      </ul>
      <p className={styles.hint}>
        {data.total === 0 ? words.browse.noneKnown : words.browse.inImage(words.formats.number(data.total))}
        <span lang="en">{data.notes?.join(' ')}</span>
      </p>
    </>
  );
}
