/** Programs whose entries have the address from before: asks whether they are to follow. */
import { useState } from 'react';
import type { ConnectView } from '../../electron/contract/connections';
import { Button } from '../parts/button';
import { Dialog } from '../parts/dialog';
import { Problem } from '../parts/feedback';
import { useServices } from '../services';
import styles from './clients-view.module.css';

export function MovedPrograms({ programs }: { programs: readonly ConnectView[] }) {
  const { actions } = useServices();
  const [asking, setAsking] = useState(false);
  if (programs.length === 0) return null;
  const titles = programs.map(({ title }) => title).join(', ');
  const follow = async () => {
    setAsking(false);
    for (const { name } of programs) await actions.clients.changeConnection(name, 'add');
  };
  return (
    <>
      <Problem tone="warn" action={<Button onPress={() => setAsking(true)}>Update them…</Button>}>
        The harbor’s address has changed, and {titles} still {programs.length === 1 ? 'has' : 'have'} the one
        from before.
      </Problem>
      {asking && (
        <Dialog
          title="Let these programs follow the address?"
          onClose={() => setAsking(false)}
          buttons={
            <>
              <Button onPress={() => setAsking(false)}>Cancel</Button>
              <Button kind="primary" onPress={() => void follow()}>
                Update
              </Button>
            </>
          }
        >
          <p>The address in their files becomes the one of now; their tokens stay.</p>
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
