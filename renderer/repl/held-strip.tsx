/** Above the editor of a session that is held: what holds it, and its restarts, each a button that types its number. */
import { Bug } from 'lucide-react';
import type { SessionView } from '../../electron/contract/model';
import { useEvaluation } from '../bridge-queries';
import { Button } from '../parts/button';
import { useServices, useWords } from '../services';
import styles from './prompt.module.css';

/** More are in the debugger. */
const MOST = 4;

export function HeldStrip({ session, onSubmit }: { session: SessionView; onSubmit: (text: string) => void }) {
  const words = useWords();
  const { actions } = useServices();
  const { id, level = 0, runningEvaluation, state } = session;
  const { data } = useEvaluation(runningEvaluation ?? 0);
  const condition = data?.condition;
  if (state !== 'debugger' || !data || !condition) return null;
  return (
    <section className={styles.strip} data-held aria-label={words.repl.heldAtLevel(level)}>
      {/* A long message is scrolled, by the keyboard as well. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to take the keyboard */}
      <p className={styles.condition} tabIndex={0}>
        <code>{condition.type}</code> <span lang="en">{condition.message}</span>{' '}
        {words.repl.heldBy(data.id, data.client, level)}
      </p>
      {condition.restarts.slice(0, MOST).map(({ index, name, description }) => (
        <Button
          key={index}
          onPress={() => onSubmit(String(index))}
          aria-label={`${index} ${name}: ${description}`}
        >
          {index} {name}
        </Button>
      ))}
      <Button icon={Bug} onPress={() => actions.openTab(id, 'debugger')}>
        {words.repl.debugger}
      </Button>
    </section>
  );
}
