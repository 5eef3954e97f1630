/** The tab with what became of a session's images: begun, lost, replaced, interrupted, refused. */
import { useQuery } from '@tanstack/react-query';
import type { SessionView } from '../../electron/contract/model';
import { call } from '../bridge';
import { Problem } from '../parts/feedback';
import { useWords } from '../services';
import styles from './log.module.css';
import { LogList } from './log-list';

export function LogTab({ session: { id } }: { session: SessionView }) {
  const words = useWords();
  const { data, error } = useQuery({
    queryKey: ['image', id, 'log'],
    queryFn: () => call('log:session', { session: id }),
    staleTime: 0,
  });
  if (error) return <Problem>{error.message}</Problem>;
  if (!data) return null;
  return (
    <section aria-label={words.log.title} className={styles.whole}>
      {data.length > 0 ? (
        <LogList lines={data} label={words.log.sessionLog} />
      ) : (
        <p className={styles.none}>{words.log.nothing}</p>
      )}
    </section>
  );
}
