/** Where something was written: a file and its line, or the text of an evaluation of the history. */
import type { SourcePlace } from '../../electron/contract/knowledge';
import type { SessionView } from '../../electron/contract/model';
import { useEvaluation } from '../bridge-queries';
import { CopyButton } from '../parts/copy-button';
import { shortenPath } from '../parts/format';
import { LispBlock } from '../parts/lisp';
import { Disclosure } from '../parts/view';
import { formatRoute, START_ROUTE } from '../route';
import { useWords } from '../services';
import styles from './browse.module.css';

export function SourceLine({ session, source }: { session: SessionView; source: SourcePlace }) {
  const words = useWords();
  const { file, line, evaluation, note } = source;
  if (file !== undefined) {
    const place = line === undefined ? file : `${file}:${line}`;
    return (
      <p className={styles.source} title={file}>
        <code>{shortenPath(place, 52)}</code>
        <CopyButton text={place} what={words.copying.place} />
        {note !== undefined && <span>{note}</span>}
      </p>
    );
  }
  if (evaluation === undefined) return note === undefined ? null : <p className={styles.source}>{note}</p>;
  return (
    <div className={styles.source}>
      <Disclosure title={words.browse.source(evaluation)}>
        <Evaluated session={session} id={evaluation} />
      </Disclosure>
    </div>
  );
}

function Evaluated({ session, id }: { session: SessionView; id: number }) {
  const words = useWords();
  const { data, error } = useEvaluation(id);
  if (error) return <p>{error.message}</p>;
  // The image names the evaluation: only one of this session's project is meant.
  if (!data || data.project !== session.project) return null;
  return (
    <>
      <LispBlock code={data.code} engine={session.engine} />
      <a href={formatRoute({ ...START_ROUTE, view: 'history', evaluation: id })}>
        {words.browse.inHistory(id)}
      </a>
    </>
  );
}
