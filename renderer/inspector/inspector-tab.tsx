/** The tab with a session's inspector: the way to a value, what it is, and the views that say something of it. */
import { ArrowLeft, ArrowRight, ScanSearch } from 'lucide-react';
import type { KeyboardEvent } from 'react';
import type { SessionView } from '../../electron/contract/model';
import { KEEPS_FOCUS } from '../kept-focus';
import { Button, IconButton } from '../parts/button';
import { Empty } from '../parts/feedback';
import { keyed } from '../parts/keyed';
import { useWords } from '../services';
import { CodeField } from './code-field';
import styles from './inspector.module.css';
import { type Moves, useVisits } from './use-visits';
import { Value } from './value';
import { shownCrumb } from './visits';

export function InspectorTab({ session }: { session: SessionView }) {
  const words = useWords();
  const moves = useVisits(session.id);
  const press = (event: KeyboardEvent) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!event.altKey || by === undefined) return;
    event.preventDefault();
    moves.move(by === 1 ? 1 : -1);
  };
  return (
    <section
      aria-label={words.inspector.title}
      className={styles.inspector}
      onKeyDown={press}
      {...KEEPS_FOCUS}
    >
      <header className={styles.bar}>
        <IconButton
          icon={ArrowLeft}
          label={words.inspector.back}
          shortcut="Alt+ArrowLeft"
          isDisabled={!moves.canGoBack}
          onPress={() => moves.move(-1)}
        />
        <IconButton
          icon={ArrowRight}
          label={words.inspector.forward}
          shortcut="Alt+ArrowRight"
          isDisabled={!moves.canGoForward}
          onPress={() => moves.move(1)}
        />
        <CodeField onSubmit={(code) => moves.begin({ code })} />
      </header>
      {moves.way === null ? (
        <Nothing moves={moves} />
      ) : (
        <>
          <Crumbs moves={moves} />
          <Value
            key={shownCrumb(moves.way).handle}
            session={session}
            crumb={shownCrumb(moves.way)}
            onEnter={moves.enter}
          />
        </>
      )}
    </section>
  );
}

function Nothing({ moves }: { moves: Moves }) {
  const words = useWords();
  return (
    <Empty
      icon={ScanSearch}
      title={words.inspector.nothing}
      action={<Button onPress={() => void moves.begin({ last: true })}>{words.inspector.lookAtLast}</Button>}
    >
      {words.inspector.nothingAbout}
    </Empty>
  );
}

/** The way that led here; each value on it can be gone back to. */
function Crumbs({ moves: { way, goUp } }: { moves: Moves }) {
  const words = useWords();
  if (!way || way.length === 1) return null;
  return (
    <nav aria-label={words.inspector.way} className={styles.crumbs}>
      <ol>
        {keyed(way).map(({ key, item: { label } }, place) => (
          <li key={key} className={styles.crumb}>
            {place === way.length - 1 ? (
              <code aria-current="page">{label}</code>
            ) : (
              <button type="button" onClick={() => goUp(place)}>
                <code>{label}</code>
              </button>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}
