/** A badge with the trust issues of a result. Pressed, it lists each issue and its meaning. */
import { ShieldAlert, ShieldCheck } from 'lucide-react';
import { Button, DialogTrigger, Popover } from 'react-aria-components';
import type { TrustIssue } from '../../electron/contract/proof';
import { keyed } from '../parts/view';
import { useWords } from '../services';
import { trustCount, trustLine } from './proof-display';
import styles from './trust-badge.module.css';

interface TrustBadgeProps {
  issues: readonly TrustIssue[];
  /** Subject of the sentence, as in "<subject> uses no axioms". */
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
  /** Whether to show only the number of issues; the tooltip lists them. */
  short?: boolean;
}

/** The badge without a list. */
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
            {keyed(about.filter(isInformative)).map(({ key, item }) => (
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

/** Issues of settings have the subject `T`, which is not informative. */
function isInformative(about: string): boolean {
  return about !== 'T';
}
