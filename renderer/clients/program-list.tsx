/** Other programs' MCP configurations: what each says of us, those first that are on this computer. */
import { useState } from 'react';
import type { ConnectView } from '../../electron/contract/connections';
import { useConnections } from '../bridge-queries';
import { Button } from '../parts/button';
import { Problem } from '../parts/feedback';
import { useWords } from '../services';
import styles from './clients-view.module.css';
import { MovedPrograms } from './moved-programs';
import { Program } from './program-row';

export function Programs() {
  const words = useWords();
  const { data, error } = useConnections();
  const [all, setAll] = useState(false);
  const here = data?.filter(isHere) ?? [];
  const others = data?.filter((program) => !isHere(program)) ?? [];
  return (
    <section className={styles.part}>
      <header>
        <h2>{words.clients.programs}</h2>
      </header>
      <p className={styles.about}>{words.clients.programsAbout}</p>
      {error && <Problem>{error.message}</Problem>}
      <MovedPrograms programs={here.filter(({ state }) => state === 'moved')} />
      {data && here.length === 0 && <p className={styles.empty}>{words.clients.noPrograms}</p>}
      <ul aria-label={words.clients.programs}>
        {[...here, ...(all ? others : [])].map((program) => (
          <Program key={program.name} program={program} />
        ))}
      </ul>
      {others.length > 0 && (
        <p className={styles.more}>
          <Button aria-expanded={all} onPress={() => setAll(!all)}>
            {all ? words.clients.hideAbsent : words.clients.showAbsent(others.length, here.length > 0)}
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
