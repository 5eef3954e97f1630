/** Text: sentences with elements, reasons for unavailable engines, untrusted text, and times that update. */

import { createElement, Fragment, type ReactNode, useEffect, useRef, useState } from 'react';
import type { Phrase } from '../../electron/contract/phrase';
import { useWords } from '../services';
import { Button } from './button';
import styles from './text.module.css';

export function Sentence({ of }: { of: readonly ReactNode[] }) {
  return createElement(Fragment, null, ...of);
}

/** Why an engine is unavailable, and how to install it. */
export function Unavailable({ reason }: { reason: string }) {
  const words = useWords();
  return <Sentence of={words.parts.unavailable(<span lang="en">{reason}</span>)} />;
}

// Untrusted names and text are isolated from the text around them. Invisible characters were made visible
// before (electron/contract/visible-text.ts).

/** An untrusted name or path, isolated from the direction of the text around it. */
export function Outside({ children }: { children: string }) {
  return <bdi className={styles.name}>{children}</bdi>;
}

/** A phrase of the harbor, with the names that others chose set apart. */
export function PhraseText({ parts }: { parts: Phrase }) {
  return parts.map((part, index) =>
    // Parts have no identity but their place.
    // biome-ignore lint/suspicious/noArrayIndexKey: a phrase never changes
    typeof part === 'string' ? part : <Outside key={index}>{part.outside}</Outside>,
  );
}

interface OutsideTextProps {
  /** All texts in it, for their length. */
  text: string;
  label: string;
  /** Called when the end was shown, immediately if all of it fits. */
  onSeen: () => void;
  children: ReactNode;
}

/** A box that untrusted text cannot leave, with its length and, if a part is hidden, buttons that scroll to its middle and end. */
export function OutsideText({ text, label, onSeen, children }: OutsideTextProps) {
  const words = useWords();
  const box = useRef<HTMLElement>(null);
  const [isCut, setIsCut] = useState(false);
  const look = () => {
    const { current } = box;
    if (!current) return;
    setIsCut(current.scrollHeight > current.clientHeight + 2);
    if (current.scrollTop + current.clientHeight >= current.scrollHeight - 2) onSeen();
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new text must be checked
  useEffect(() => {
    if (!box.current) return;
    // Looks at once, and again whenever another width breaks the lines differently.
    const observer = new ResizeObserver(look);
    observer.observe(box.current);
    return () => observer.disconnect();
  }, [text]);
  const show = (part: number) => {
    const { current } = box;
    current?.scrollTo({ top: (current.scrollHeight - current.clientHeight) * part });
  };
  const lines = text.split('\n').length;
  return (
    <>
      <p className={styles.size}>
        <span>
          {words.common.lines(lines)}
          {words.common.comma}
          {words.common.characters(text.length)}
        </span>
        {isCut && (
          <>
            <Button onPress={() => show(0.5)}>{words.approvals.showMiddle}</Button>
            <Button onPress={() => show(1)}>{words.approvals.showEnd}</Button>
          </>
        )}
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll area must be focusable */}
      <section className={styles.text} ref={box} onScroll={look} aria-label={label} tabIndex={0} dir="ltr">
        {children}
      </section>
    </>
  );
}

const SECOND = 1_000;

/** Returns the current time, updated every `periodMs` milliseconds. */
export function useNow(periodMs: number): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), periodMs);
    return () => clearInterval(timer);
  }, [periodMs]);
  return now;
}

/** A relative time with the exact one as a tooltip. Rows of a list share `now`, so that they agree. */
export function RelativeTime({ at, now }: { at: number; now: number }) {
  const words = useWords();
  return (
    <time dateTime={new Date(at).toISOString()} title={words.formats.exact(at)}>
      {words.formats.relative(at, Math.max(at, now))}
    </time>
  );
}

interface DurationProps {
  /** Milliseconds; null while it continues. */
  ms: number | null;
  since: number;
  /** Separators before and after the duration. */
  before?: string;
  after?: string;
}

/** The duration of an evaluation, or its time so far. */
export function Duration({ ms, since, before = '', after = '' }: DurationProps) {
  const { formats } = useWords();
  if (ms === null)
    return <Elapsed since={since} format={(taken) => before + formats.elapsed(taken) + after} />;
  return <span>{before + formats.duration(ms) + after}</span>;
}

/** Updates every second, starting after the first. */
function Elapsed({ since, format }: { since: number; format: (ms: number) => string }) {
  const [seconds, setSeconds] = useState(() => secondsSince(since));
  useEffect(() => {
    const next = since + (seconds + 1) * SECOND;
    const timer = setTimeout(() => setSeconds(secondsSince(since)), next - Date.now());
    return () => clearTimeout(timer);
  }, [since, seconds]);
  return seconds > 0 && <span>{format(seconds * SECOND)}</span>;
}

function secondsSince(since: number): number {
  return Math.max(0, Math.floor((Date.now() - since) / SECOND));
}
