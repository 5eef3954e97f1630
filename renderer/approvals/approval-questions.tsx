/**
 * Approval requests: the client, the exact code or address, the consequences, and the rule that requires the
 * approval. The first request is shown below every view; Home shows all.
 */
import { useEffect, useState } from 'react';
import type { ApprovalQuestion } from '../../electron/contract/approvals';
import type { SessionId } from '../../electron/contract/model';
import { Button } from '../parts/button';
import { engineTitle } from '../parts/format';
import { Outside, OutsideText, PhraseText, RelativeTime, Sentence, useNow } from '../parts/text';

import { useLive, useServices, useWords } from '../services';
import styles from './approval-questions.module.css';

/**
 * Milliseconds after a request appears in which its buttons are disabled, because a press may be meant for
 * the previous content.
 */
const SETTLING_MS = 500;

/** All approval requests. */
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

/** Gives a request a new key when it moves, so that it must settle again before it can be answered. */
function placed(questions: readonly ApprovalQuestion[]): { question: ApprovalQuestion; place: string }[] {
  return questions.map((question, index) => ({
    question,
    place: `${question.id} after ${questions[index - 1]?.id}`,
  }));
}

/** The first approval request, below the view. */
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
  // Denying needs no reading.
  const isDisabled = !isSettled || !isSeen;
  const { id, client, tool, code, explanation, session, rule, requestedAt } = question;
  const { means, once, always } = words.approvals;
  const meaning = means(explanation?.wish);
  return (
    <article className={styles.question}>
      <h2>
        <Sentence
          of={words.approvals.wants(
            <Outside>{client}</Outside>,
            words.approvals.wish(tool, explanation?.wish),
            <RelativeTime at={requestedAt} now={now} />,
          )}
        />
      </h2>
      {session !== undefined && <Where session={session} />}
      <OutsideText text={code} label={words.approvals.what} onSeen={() => setSeen(true)} />
      {meaning && <p className={styles.meaning}>{meaning}</p>}
      {explanation && (
        <p className={styles.meaning} lang="en">
          <PhraseText parts={explanation.meaning} />
        </p>
      )}
      {!isSeen && <p className={styles.meaning}>{words.approvals.endUnseen}</p>}
      <p className={styles.rule}>{words.approvals.because(rule)}</p>
      <div className={styles.buttons}>
        <Button isDisabled={!isSettled} onPress={() => void actions.sandbox.answer(id, 'no')}>
          {words.approvals.refuse}
        </Button>
        <Button isDisabled={isDisabled} onPress={() => void actions.sandbox.answer(id, 'always')}>
          {always(client, explanation?.wish)}
        </Button>
        <Button
          kind="primary"
          isDisabled={isDisabled}
          onPress={() => void actions.sandbox.answer(id, 'once')}
        >
          {once(explanation?.wish)}
        </Button>
      </div>
    </article>
  );
}

/** The session concerned. A client may have chosen its name. */
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

/** Reports whether the request has been shown long enough to be answered. */
function useSettled(): boolean {
  const [settled, setSettled] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(true), SETTLING_MS);
    return () => clearTimeout(timer);
  }, []);
  return settled;
}
