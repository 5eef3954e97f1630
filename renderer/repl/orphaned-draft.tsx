/**
 * Drafts of ended sessions: in place of the ended session's REPL, and above the editor of another session of
 * the same engine.
 */

import { CornerDownLeft, X } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { SessionView } from '../../electron/contract/model';
import { Button, CopyButton, IconButton } from '../parts/button';
import { LispBlock, LispLine } from '../parts/code';
import { engineTitle } from '../parts/format';
import { useLive, useWords } from '../services';
import { draftOf, dropDraft, orphanedDrafts } from './drafts';
import styles from './prompt.module.css';

/** Shown in place of the REPL of an ended session. */
export function OrphanedDraftView({ session: { id, engine } }: { session: SessionView }) {
  const words = useWords();
  const text = draftOf(id);
  if (text.trim() === '') return null;
  return (
    <section className={styles.draft} aria-label={words.repl.notSent}>
      <h3>{words.repl.notSent}</h3>
      <LispBlock code={text} engine={engine} />
      <p>
        <CopyButton text={text} what={words.copying.notSent} wide />
        <span>{words.repl.savedFor(engineTitle(engine))}</span>
      </p>
    </section>
  );
}

interface OrphanedDraftStripProps {
  session: SessionView;
  onInsert: (text: string) => void;
}

/** The newest draft of an ended session. After it is inserted or discarded, the next one is shown. */
export function OrphanedDraftStrip({ session, onInsert }: OrphanedDraftStripProps) {
  const words = useWords();
  const sessions = useLive((state) => state.sessions);
  const [dealtWith, setDealtWith] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: recomputed after a draft is removed.
  const draft = useMemo(
    () => orphanedDrafts(sessions).find(({ engine }) => engine === session.engine),
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
