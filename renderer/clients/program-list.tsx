/** Other programs' MCP configurations: what each says of us, those first that are on this computer. */
import { useState } from 'react';
import type { ConnectView } from '../../electron/contract/connections';
import { useConnections } from '../bridge-queries';
import { Button } from '../parts/button';
import { Problem } from '../parts/feedback';
import styles from './clients-view.module.css';
import { MovedPrograms } from './moved-programs';
import { Program } from './program-row';

export function Programs() {
  const { data, error } = useConnections();
  const [all, setAll] = useState(false);
  const here = data?.filter(isHere) ?? [];
  const others = data?.filter((program) => !isHere(program)) ?? [];
  return (
    <section className={styles.part}>
      <header>
        <h2>Programs</h2>
      </header>
      <p className={styles.about}>
        Connect adds Lisp Harbor to a program’s own configuration. You see the change before it is written; a
        copy of the file is kept, and Disconnect takes exactly that change back.
      </p>
      {error && <Problem>{error.message}</Problem>}
      <MovedPrograms programs={here.filter(({ state }) => state === 'moved')} />
      {data && here.length === 0 && (
        <p className={styles.empty}>None of the programs that are known was found on this computer.</p>
      )}
      <ul aria-label="Programs">
        {[...here, ...(all ? others : [])].map((program) => (
          <Program key={program.name} program={program} />
        ))}
      </ul>
      {others.length > 0 && (
        <p className={styles.more}>
          <Button aria-expanded={all} onPress={() => setAll(!all)}>
            {all
              ? 'Hide those that were not found'
              : `Show ${others.length} ${here.length === 0 ? 'that' : 'more that'} were not found here`}
          </Button>
        </p>
      )}
    </section>
  );
}

/** On this computer, or with something to say. */
function isHere({ found, state }: ConnectView): boolean {
  return found || (state !== 'absent' && state !== 'manual');
}
