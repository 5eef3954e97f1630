/** The REPL of a session: one transcript of all who evaluate there, and below it the editor; or the plain terminal. */
import { useCallback, useState } from 'react';
import type { SessionView } from '../../electron/contract/model';
import { tryCall } from '../bridge';
import { useRoute, useServices, useViewState, useWords } from '../services';
import { useListener } from './listener';
import { Prompt } from './prompt';
import styles from './repl.module.css';
import { ReplTab } from './repl-tab';
import { Transcript } from './transcript';

export function Repl({ session }: { session: SessionView }) {
  const typing = useRoute((state) => state.typing);
  const plain = useViewState(({ plainTerminal }) => plainTerminal);
  if (plain) return <ReplTab session={session} focus={typing} />;
  return <BlockRepl session={session} focus={typing} />;
}

function BlockRepl({ session, focus }: { session: SessionView; focus: boolean }) {
  const words = useWords();
  const { toasts } = useServices();
  const { id, name, level = 0 } = session;
  const listener = useListener(id);
  const [cleared, setCleared] = useState(0);
  const submit = useCallback(
    (text: string) => void tryCall(toasts, 'listener:submit', { session: id, text, level }),
    [toasts, id, level],
  );
  return (
    <section className={styles.repl} aria-label={words.repl.region(name)} data-session={id}>
      <Transcript key={cleared} session={session} onAgain={submit} />
      <Prompt
        session={session}
        listener={listener}
        focus={focus}
        onSubmit={submit}
        onClear={() => setCleared((times) => times + 1)}
      />
    </section>
  );
}
