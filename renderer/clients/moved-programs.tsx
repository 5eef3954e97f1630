/** Programs whose entries have the address from before: asks whether they are to follow. */
import { useState } from 'react';
import type { ConnectView } from '../../electron/contract/connections';
import { Button } from '../parts/button';
import { Dialog } from '../parts/dialog';
import { Problem } from '../parts/feedback';
import { useServices, useWords } from '../services';
import styles from './clients-view.module.css';

export function MovedPrograms({ programs }: { programs: readonly ConnectView[] }) {
  const words = useWords();
  const { actions } = useServices();
  const [asking, setAsking] = useState(false);
  if (programs.length === 0) return null;

  const follow = async () => {
    setAsking(false);
    for (const { name } of programs) await actions.clients.changeConnection(name, 'add');
  };
  return (
    <>
      <Problem
        tone="warn"
        action={<Button onPress={() => setAsking(true)}>{words.clients.updateThem}</Button>}
      >
        {words.clients.moved(programs.map(({ title }) => title))}
      </Problem>
      {asking && (
        <Dialog
          title={words.clients.followAsked}
          onClose={() => setAsking(false)}
          buttons={
            <>
              <Button onPress={() => setAsking(false)}>{words.common.cancel}</Button>
              <Button kind="primary" onPress={() => void follow()}>
                {words.clients.followNow}
              </Button>
            </>
          }
        >
          <p>{words.clients.followAbout}</p>
          <ul className={styles.files}>
            {programs.map(({ name, file }) => (
              <li key={name} className={styles.file}>
                {file}
              </li>
            ))}
          </ul>
        </Dialog>
      )}
    </>
  );
}
