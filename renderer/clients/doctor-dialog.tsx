/** Does the program's own handshake by what is in its file, and says what came of it. */
import type { ConnectView } from '../../electron/contract/connections';
import { useDiagnosis } from '../bridge-queries';
import { Button } from '../parts/button';
import { Dialog } from '../parts/dialog';
import { Problem } from '../parts/feedback';
import { useWords } from '../services';
import styles from './clients-view.module.css';

export function DoctorDialog({ program, onClose }: { program: ConnectView; onClose: () => void }) {
  const words = useWords();
  const { data, error } = useDiagnosis(program.name);
  return (
    <Dialog
      title={words.clients.checkOf(program.title)}
      wide
      onClose={onClose}
      buttons={<Button onPress={onClose}>{words.clients.done}</Button>}
    >
      {error && <Problem>{error.message}</Problem>}
      {!data && !error && <p>{words.clients.asking(program.title)}</p>}
      {data && !data.ok && <Problem>{data.lines.at(-1)}</Problem>}
      {(data?.ok ? data.lines : (data?.lines.slice(0, -1) ?? [])).map((line) => (
        <p key={line} className={styles.said}>
          {line}
        </p>
      ))}
    </Dialog>
  );
}
