/**
 * Calls that wait for a person's word: who asks, exactly what would run or be reached, what that means, and which rule
 * makes it wait. Below every view the first of them; on Home all, in their place.
 */
import { useEffect, useState } from 'react';
import type { ApprovalQuestion } from '../../electron/contract/approvals';
import type { SessionId } from '../../electron/contract/model';
import { Button } from '../parts/button';
import { engineTitle } from '../parts/format';
import { Outside, OutsideText, PhraseText } from '../parts/outside';
import { Sentence } from '../parts/sentence';
import { RelativeTime, useNow } from '../parts/time';
import { useLive, useServices, useWords } from '../services';
import styles from './approval-questions.module.css';

/** Milliseconds in which a press may still be meant for what was shown there before, mostly another question. */
const SETTLING_MS = 500;

/** All of them, one below the other. */
export function ApprovalQueue() {
  const words = useWords();
  const questions = useLive((state) => state.approvals.questions);
  if (questions.length === 0) return null;
  return (
    <section className={styles.queue} aria-label={words.approvals.waiting} role="alert">
      {placed(questions).map(({ question, place }) => (
        <Question key={place} question={question} />
      ))}
    </section>
  );
}

/** One that moves to where another was is another one on the screen: it must settle there before it can be answered. */
function placed(questions: readonly ApprovalQuestion[]): { question: ApprovalQuestion; place: string }[] {
  return questions.map((question, index) => ({
    question,
    place: `${question.id} after ${questions[index - 1]?.id}`,
  }));
}

/** The first, below the view. */
export function ApprovalQuestions() {
  const words = useWords();
  const questions = useLive((state) => state.approvals.questions);
  const [first] = questions;
  if (!first) return null;
  return (
    <section className={styles.questions} aria-label={words.approvals.waiting} role="alert">
      <Question key={first.id} question={first} />
      {questions.length > 1 && <p className={styles.more}>{words.approvals.more(questions.length - 1)}</p>}
    </section>
  );
}

function Question({ question }: { question: ApprovalQuestion }) {
  const words = useWords();
  const { actions } = useServices();
  const now = useNow(1_000);
  const isSettled = useSettled();
  const [isSeen, setSeen] = useState(false);
  // A no needs no reading.
  const isDisabled = !isSettled || !isSeen;
  const { id, client, tool, code, told, session, rule, askedAt } = question;
  const { means, once, always } = words.approvals;
  const meaning = means(told?.wish);
  return (
    <article className={styles.question}>
      <h2>
        <Sentence
          of={words.approvals.wants(
            <Outside>{client}</Outside>,
            words.approvals.wish(tool, told?.wish),
            <RelativeTime at={askedAt} now={now} />,
          )}
        />
      </h2>
      {session !== undefined && <Where session={session} />}
      <OutsideText text={code} label={words.approvals.what} onSeen={() => setSeen(true)} />
      {meaning && <p className={styles.meaning}>{meaning}</p>}
      {told && (
        <p className={styles.meaning} lang="en">
          <PhraseText parts={told.meaning} />
        </p>
      )}
      {!isSeen && <p className={styles.meaning}>{words.approvals.endUnseen}</p>}
      <p className={styles.rule}>{words.approvals.because(rule)}</p>
      <div className={styles.buttons}>
        <Button isDisabled={!isSettled} onPress={() => void actions.sandbox.answer(id, 'no')}>
          {words.approvals.refuse}
        </Button>
        <Button isDisabled={isDisabled} onPress={() => void actions.sandbox.answer(id, 'always')}>
          {always(client, told?.wish)}
        </Button>
        <Button
          kind="primary"
          isDisabled={isDisabled}
          onPress={() => void actions.sandbox.answer(id, 'once')}
        >
          {once(told?.wish)}
        </Button>
      </div>
    </article>
  );
}

/** In which session it would happen. Its name may be a client's. */
function Where({ session }: { session: SessionId }) {
  const words = useWords();
  const view = useLive(({ sessions }) => sessions.get(session));
  if (!view) return null;
  return (
    <p className={styles.meaning}>
      <Sentence of={words.approvals.inSession(<Outside>{view.name}</Outside>, engineTitle(view.engine))} />
    </p>
  );
}

/** Whether it has been shown for long enough to be answered. */
function useSettled(): boolean {
  const [settled, setSettled] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(true), SETTLING_MS);
    return () => clearTimeout(timer);
  }, []);
  return settled;
}
