/** Above the editor of a session that is held: what holds it, and its restarts, each of which types its number. */
import { Bug, ChevronDown } from 'lucide-react';
import { MenuTrigger } from 'react-aria-components';
import type { Restart, SessionView } from '../../electron/contract/model';
import { useEvaluation } from '../bridge-queries';
import { Button } from '../parts/button';
import { Menu, MenuItem } from '../parts/popup-menu';
import { useServices, useWords } from '../services';
import styles from './prompt.module.css';

/** So many have buttons; the others are in a menu behind them. */
const MOST = 4;

interface HeldStripProps {
  session: SessionView;
  onSubmit: (text: string) => void;
}

export function HeldStrip({ session, onSubmit }: HeldStripProps) {
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
        {words.repl.heldBy(data.id, words.common.client(data.client), level)}
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
      <MoreRestarts restarts={condition.restarts.slice(MOST)} onSubmit={onSubmit} />
      <Button icon={Bug} onPress={() => actions.openTab(id, 'debugger')}>
        {words.repl.debugger}
      </Button>
    </section>
  );
}

interface MoreRestartsProps {
  restarts: readonly Restart[];
  onSubmit: (text: string) => void;
}

function MoreRestarts({ restarts, onSubmit }: MoreRestartsProps) {
  const words = useWords();
  if (restarts.length === 0) return null;
  const title = words.repl.moreRestarts(restarts.length);
  return (
    <MenuTrigger>
      <Button icon={ChevronDown}>{title}</Button>
      <Menu label={title}>
        {restarts.map(({ index, name, description }) => (
          <MenuItem
            key={index}
            title={`${index} ${name}`}
            about={<span lang="en">{description}</span>}
            onChoose={() => onSubmit(String(index))}
          />
        ))}
      </Menu>
    </MenuTrigger>
  );
}
