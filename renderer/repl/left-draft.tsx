/** What was typed for a session that has ended: where that session was, and above the editor of the next one of its engine. */
import { CornerDownLeft, X } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { SessionView } from '../../electron/contract/model';
import { Button, IconButton } from '../parts/button';
import { CopyButton } from '../parts/copy-button';
import { engineTitle } from '../parts/format';
import { LispBlock, LispLine } from '../parts/lisp';
import { useLive, useWords } from '../services';
import { draftOf, dropDraft, leftDrafts } from './drafts';
import left from './left-draft.module.css';
import styles from './prompt.module.css';

/** In place of the REPL of a session that has ended. */
export function LeftDraft({ session: { id, engine } }: { session: SessionView }) {
  const words = useWords();
  const text = draftOf(id);
  if (text.trim() === '') return null;
  return (
    <section className={left.draft} aria-label={words.repl.notSent}>
      <h3>{words.repl.notSent}</h3>
      <LispBlock code={text} engine={engine} />
      <p>
        <CopyButton text={text} what={words.copying.notSent} wide />
        <span>{words.repl.keptFor(engineTitle(engine))}</span>
      </p>
    </section>
  );
}

interface LeftStripProps {
  session: SessionView;
  onInsert: (text: string) => void;
}

/** The newest of them; once it is dealt with, the next. */
export function LeftStrip({ session, onInsert }: LeftStripProps) {
  const words = useWords();
  const sessions = useLive((state) => state.sessions);
  const [dealtWith, setDealtWith] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: one that is dealt with is no longer kept.
  const draft = useMemo(
    () => leftDrafts(sessions).find(({ engine }) => engine === session.engine),
    [sessions, session.engine, dealtWith],
  );
  if (!draft) return null;
  const { session: ended, name, text, engine } = draft;
  const drop = () => {
    dropDraft(ended);
    setDealtWith((drafts) => drafts + 1);
  };
  const insert = () => {
    drop();
    onInsert(text);
  };
  return (
    <section className={styles.strip} aria-label={words.repl.leftIn(name)}>
      <span>{words.repl.leftIn(name)}</span>
      <LispLine code={text} engine={engine} />
      <Button icon={CornerDownLeft} onPress={insert}>
        {words.repl.insert}
      </Button>
      <IconButton icon={X} label={words.repl.discardLeft(name)} onPress={drop} />
    </section>
  );
}
