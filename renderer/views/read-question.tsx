/** A file that a client wants to read beyond the allow-list: the folder that a yes opens, and who says whose it is. */
import type { ApprovalQuestion, ApprovalReply, OpenedByYes } from '../../electron/contract/approvals';
import { Button } from '../parts/button';
import { RelativeTime } from '../parts/time';
import styles from './approval-questions.module.css';

export function ReadQuestion({
  question: { client, tool, code, rule, askedAt },
  opens: { folder, system, session },
  now,
  onAnswer,
}: {
  question: ApprovalQuestion;
  opens: OpenedByYes;
  now: number;
  onAnswer: (reply: ApprovalReply) => void;
}) {
  return (
    <article>
      <h2>
        {client} wants to read a file with {tool} <RelativeTime at={askedAt} now={now} />
      </h2>
      <pre className={styles.code}>
        <code>{code}</code>
      </pre>
      <p>A yes opens this whole folder for reading, without the secrets in it:</p>
      <pre className={styles.code}>
        <code>{folder}</code>
      </pre>
      <p className={styles.rule}>
        Session {session} says that the system “{system}” has its sources there. It is asked because of the
        rule “{rule}”.
      </p>
      <div className={styles.buttons}>
        <Button onPress={() => onAnswer('no')}>Refuse</Button>
        <Button onPress={() => onAnswer('always')}>Add the folder to the allow-list</Button>
        <Button kind="primary" onPress={() => onAnswer('once')}>
          Open it until the session ends
        </Button>
      </div>
    </article>
  );
}
