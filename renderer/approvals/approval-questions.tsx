/**
 * Approval requests: the client, the whole call, the consequences, and the rule that requires the approval.
 * The first request is shown below every view; Home shows all.
 */
import { Fragment, useEffect, useState } from 'react';
import { Input, TextField } from 'react-aria-components';
import type {
  ApprovalQuestion,
  LONGEST_REASON as LongestReason,
  ShownPart,
} from '../../electron/contract/approvals';
import type { EngineName, SessionId } from '../../electron/contract/model';
import { Button } from '../parts/button';
import { DiffLines, LispBlock } from '../parts/code';
import fields from '../parts/field.module.css';
import { engineTitle } from '../parts/format';
import { Outside, OutsideText, PhraseText, RelativeTime, Sentence, useNow } from '../parts/text';
import { keyed } from '../parts/view';
import { useLive, useServices, useWords } from '../services';
import styles from './approval-questions.module.css';

/** The most characters of a reason, as in contract/approvals.ts. */
const LONGEST_REASON: typeof LongestReason = 500;

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
  const [reason, setReason] = useState('');
  // Denying needs no reading.
  const isDisabled = !isSettled || !isSeen;
  const { client, tool, parts, explanation, session, rule, requestedAt } = question;
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
      <OutsideText text={textOf(parts)} label={words.approvals.what} onSeen={() => setSeen(true)}>
        <Parts parts={parts} session={session} />
      </OutsideText>
      {meaning && <p className={styles.meaning}>{meaning}</p>}
      {explanation && (
        <p className={styles.meaning} lang="en">
          <PhraseText parts={explanation.meaning} />
        </p>
      )}
      {!isSeen && <p className={styles.meaning}>{words.approvals.endUnseen}</p>}
      <p className={styles.rule}>{words.approvals.because(rule)}</p>
      <div className={styles.buttons}>
        <form
          className={styles.refusal}
          onSubmit={(event) => {
            event.preventDefault();
            if (isSettled) void actions.sandbox.answer(question, 'no', reason);
          }}
        >
          <TextField aria-label={words.approvals.reason} value={reason} onChange={setReason}>
            <Input
              className={fields.text ?? ''}
              placeholder={words.approvals.reasonHint}
              maxLength={LONGEST_REASON}
            />
          </TextField>
          <Button isDisabled={!isSettled} type="submit">
            {words.approvals.refuse}
          </Button>
        </form>
        <Button isDisabled={isDisabled} onPress={() => void actions.sandbox.answer(question, 'always')}>
          {always(client, explanation?.wish)}
        </Button>
        <Button
          kind="primary"
          isDisabled={isDisabled}
          onPress={() => void actions.sandbox.answer(question, 'once')}
        >
          {once(explanation?.wish)}
        </Button>
      </div>
    </article>
  );
}

/** The whole call: changes of files, code, and the other arguments by name. */
function Parts({ parts, session }: Pick<ApprovalQuestion, 'parts' | 'session'>) {
  const engine =
    useLive(({ sessions }) => (session ? sessions.get(session)?.engine : undefined)) ?? engineIn(parts);
  return keyed(parts).map(({ key, item }) => <Part key={key} part={item} engine={engine} />);
}

function Part({ part, engine }: { part: ShownPart; engine: EngineName }) {
  switch (part.kind) {
    case 'diff':
      return (
        <>
          <h3 className={styles.argument}>{part.file}</h3>
          <DiffLines diff={part.diff} />
        </>
      );
    case 'code':
      return (
        <>
          {part.name !== '' && <h3 className={styles.argument}>{part.name}</h3>}
          <LispBlock code={part.code} engine={engine} />
        </>
      );
    case 'values':
      return (
        <dl className={styles.values}>
          {part.values.map(({ name, value }) => (
            <Fragment key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </Fragment>
          ))}
        </dl>
      );
  }
}

/** Returns the engine that the call names. The code of others is shown as Common Lisp. */
function engineIn(parts: readonly ShownPart[]): EngineName {
  const values = parts.flatMap((part) => (part.kind === 'values' ? part.values : []));
  return values.find(({ name }) => name === 'engine')?.value === 'clojure' ? 'clojure' : 'sbcl';
}

function textOf(parts: readonly ShownPart[]): string {
  return parts
    .map((part) => {
      if (part.kind === 'diff') return part.diff;
      return part.kind === 'code'
        ? part.code
        : part.values.map(({ name, value }) => `${name}: ${value}`).join('\n');
    })
    .join('\n');
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
