/** What a success rests on: a shield with words. Pressed, it lists the issues and what each of them means. */
import { ShieldAlert, ShieldCheck } from 'lucide-react';
import { Button, DialogTrigger, Popover } from 'react-aria-components';
import type { TrustIssue } from '../../electron/contract/proof';
import { keyed } from '../parts/keyed';
import { useWords } from '../services';
import styles from './trust-badge.module.css';
import { trustCount, trustLine } from './trust-words';

interface TrustBadgeProps {
  issues: readonly TrustIssue[];
  /** What rests on them, as in "<subject> uses no axioms". */
  subject: string;
}

export function TrustBadge({ issues, subject }: TrustBadgeProps) {
  const words = useWords();
  const line = trustLine(issues, words);
  return (
    <DialogTrigger>
      <Button className={styles.badge ?? ''} aria-label={words.trust.trust(line)}>
        <TrustMark issues={issues} />
      </Button>
      <Popover placement="bottom start" className={styles.popover ?? ''}>
        {issues.length === 0 ? <Clean subject={subject} /> : <TrustIssues issues={issues} />}
      </Popover>
    </DialogTrigger>
  );
}

interface TrustMarkProps {
  issues: readonly TrustIssue[];
  /** Only how many there are, for a column of marks; the tooltip says what they are. */
  short?: boolean;
}

/** The same without a list behind it. */
export function TrustMark({ issues, short = false }: TrustMarkProps) {
  const words = useWords();
  const Icon = issues.length === 0 ? ShieldCheck : ShieldAlert;
  const line = trustLine(issues, words);
  return (
    <span
      className={styles.mark}
      data-clean={issues.length === 0 || undefined}
      title={short ? line : undefined}
    >
      <Icon size={13} aria-hidden />
      <span className={styles.words}>{short ? trustCount(issues, words) : line}</span>
    </span>
  );
}

export function TrustIssues({ issues }: { issues: readonly TrustIssue[] }) {
  const words = useWords();
  return (
    <ul className={styles.issues} aria-label={words.trust.issues}>
      {issues.map(({ kind, about }) => (
        <li key={kind}>
          <p className={styles.title}>
            <ShieldAlert size={13} aria-hidden /> {words.trust.kinds[kind].title}
          </p>
          <p>{words.trust.kinds[kind].meaning}</p>
          <ul className={styles.about}>
            {keyed(about.filter(saysSomething)).map(({ key, item }) => (
              <li key={key}>
                <code>{item}</code>
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  );
}

function Clean({ subject }: { subject: string }) {
  const words = useWords();
  return <p>{words.trust.clean(subject)}</p>;
}

/** An issue of a setting is about `T`, which tells a person nothing. */
function saysSomething(about: string): boolean {
  return about !== 'T';
}
