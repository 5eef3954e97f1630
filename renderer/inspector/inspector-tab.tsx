/** The inspector tab: navigation, and the current value with its views. */

import { ArrowLeft, ArrowRight, ScanSearch } from 'lucide-react';
import { type FormEvent, type KeyboardEvent, useCallback, useEffect, useState } from 'react';
import { Input, TextField } from 'react-aria-components';
import type { InspectFrom } from '../../electron/contract/inspection';
import type { SessionId, SessionView } from '../../electron/contract/model';
import { tryCall } from '../bridge';
import { FOCUS_PANE } from '../document-effects';
import { Button, IconButton } from '../parts/button';
import fields from '../parts/field.module.css';
import { Empty, keyed } from '../parts/view';

import { useServices, useViewState, useWords } from '../services';
import styles from './inspector.module.css';
import { Value } from './value';
import {
  canMove,
  intoPart,
  moved,
  shownCrumb,
  shownWay,
  upTo,
  type Visits,
  visited,
  type Way,
} from './visits';

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
      {...FOCUS_PANE}
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

/** The path from the root value to the current one. Each value on it is a link. */
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

// The input field for a form whose value is inspected.

interface CodeFieldProps {
  /** Returns an error message, or null. */
  onSubmit: (code: string) => Promise<string | null>;
}

function CodeField({ onSubmit }: CodeFieldProps) {
  const words = useWords();
  const [code, setCode] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (code.trim() === '') return;
    setProblem(await onSubmit(code));
  };
  return (
    <form
      aria-label={words.inspector.look}
      className={styles.codeField}
      onSubmit={(event) => void submit(event)}
    >
      <TextField
        aria-label={words.inspector.formToLook}
        isInvalid={problem !== null}
        value={code}
        onChange={(text) => {
          setCode(text);
          setProblem(null);
        }}
      >
        <Input className={fields.text ?? ''} placeholder={words.inspector.formHint} spellCheck={false} />
      </TextField>
      {problem !== null && <p role="alert">{problem}</p>}
    </form>
  );
}

/** The navigation of a session's inspector. Failures are shown in toasts; no function throws. */
interface Moves {
  way: Way | null;
  canGoBack: boolean;
  canGoForward: boolean;
  /** Inspects a new root value. Returns an error message, or null. */
  begin: (from: InspectFrom) => Promise<string | null>;
  /** Inspects a part of the current value. */
  enter: (path: (number | string)[], label: string) => Promise<void>;
  /** Goes back to a value on the path. */
  goUp: (place: number) => void;
  move: (by: 1 | -1) => void;
}

function useVisits(session: SessionId): Moves {
  const { viewState, toasts } = useServices();
  const visits = useViewState((state) => state.visits[session]);
  const requested = useViewState((state) => state.inspected[session]);
  const put = useCallback(
    (change: (visits: Visits | undefined) => Visits) =>
      viewState.setState((state) => ({
        visits: { ...state.visits, [session]: change(state.visits[session]) },
      })),
    [viewState, session],
  );
  const begin = useCallback(
    async (from: InspectFrom) => {
      const begun = await tryCall(toasts, 'inspector:begin', { session, from });
      if (begun === undefined) return null;
      if ('problem' in begun) return begun.problem;
      put((before) => visited(before, [{ handle: begun.handle, label: rootLabel(from, begun.text) }]));
      return null;
    },
    [toasts, session, put],
  );
  useEffect(() => {
    if (requested === undefined) return;
    viewState.setState(({ inspected: { [session]: _, ...others } }) => ({ inspected: others }));
    void begin(requested).then((problem) => problem !== null && toasts.failed(problem));
  }, [requested, session, viewState, toasts, begin]);
  const way = visits ? shownWay(visits) : null;
  return {
    way,
    canGoBack: visits !== undefined && canMove(visits, -1),
    canGoForward: visits !== undefined && canMove(visits, 1),
    begin,
    enter: async (path, label) => {
      const holder = way?.at(-1);
      if (!way || !holder) return;
      const from = { handle: holder.handle, path };
      const begun = await tryCall(toasts, 'inspector:begin', { session, from });
      if (begun === undefined || 'problem' in begun) return;
      put((before) => visited(before, intoPart(way, { handle: begun.handle, label })));
    },
    goUp: (place) => way && put((before) => visited(before, upTo(way, place))),
    move: (by) => put((before) => moved(before ?? { ways: [], at: 0 }, by)),
  };
}

/** The label of a root value: its code if known, or else its printed form. */
function rootLabel(from: InspectFrom, text: string): string {
  return 'code' in from ? from.code : text;
}
