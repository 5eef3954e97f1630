/** Calls that wait for a person's word, over every view: who asks, exactly what would run, and by which rule it waits. */
import type { ApprovalQuestion, ApprovalReply } from '../../electron/contract/approvals';
import { Button } from '../parts/button';
import { RelativeTime, useNow } from '../parts/time';
import { useLive, useServices } from '../services';
import styles from './approval-questions.module.css';
import { ReadQuestion } from './read-question';

export function ApprovalQuestions() {
  const questions = useLive((state) => state.approvals.questions);
  const [first] = questions;
  if (!first) return null;
  return (
    <section className={styles.questions} aria-label="Waiting for your word" role="alert">
      <Question key={first.id} question={first} />
      {questions.length > 1 && (
        <p className={styles.more}>{questions.length - 1} more wait after this one.</p>
      )}
    </section>
  );
}

function Question({ question }: { question: ApprovalQuestion }) {
  const { actions } = useServices();
  const now = useNow(1_000);
  const { id, client, tool, code, opens, rule, askedAt } = question;
  if (opens) {
    const onAnswer = (reply: ApprovalReply) => void actions.answer(id, reply);
    return <ReadQuestion question={question} opens={opens} now={now} onAnswer={onAnswer} />;
  }
  return (
    <article>
      <h2>
        {client} wants to use {tool} <RelativeTime at={askedAt} now={now} />
      </h2>
      <pre className={styles.code}>
        <code>{code}</code>
      </pre>
      <p className={styles.rule}>It is asked because of the rule “{rule}”.</p>
      <div className={styles.buttons}>
        <Button onPress={() => void actions.answer(id, 'no')}>Refuse</Button>
        <Button onPress={() => void actions.answer(id, 'always')}>Always allow {client}</Button>
        <Button kind="primary" onPress={() => void actions.answer(id, 'once')}>
          Allow once
        </Button>
      </div>
    </article>
  );
}
