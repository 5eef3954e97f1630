/**
 * What comes from outside, in boxes that it cannot leave: names and paths within our sentences, and whole texts that are to be
 * judged. Characters that nobody sees were made visible before the text came here (electron/contract/visible-text.ts).
 */

import { useEffect, useRef } from 'react';
import type { Phrase } from '../../electron/contract/phrase';
import { useWords } from '../services';
import { Button } from './button';
import styles from './outside.module.css';

/** A name or a path: one line that turns no text around it. */
export function Outside({ children }: { children: string }) {
  return <bdi className={styles.name}>{children}</bdi>;
}

/** Our sentences, with what others have named in them set apart. */
export function PhraseText({ parts }: { parts: Phrase }) {
  return parts.map((part, index) =>
    // Parts have no identity but their place.
    // biome-ignore lint/suspicious/noArrayIndexKey: a phrase never changes
    typeof part === 'string' ? part : <Outside key={index}>{part.outside}</Outside>,
  );
}

interface OutsideTextProps {
  text: string;
  label: string;
  /** The end was shown, as is at once where all of it fits. */
  onSeen: () => void;
}

/** A whole text: how long it is, ways to its middle and its end, and whether a person has come to that. */
export function OutsideText({ text, label, onSeen }: OutsideTextProps) {
  const words = useWords();
  const box = useRef<HTMLElement>(null);
  const look = () => {
    const { current } = box;
    if (current && current.scrollTop + current.clientHeight >= current.scrollHeight - 2) onSeen();
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: a text is looked at once it is there
  useEffect(look, [text]);
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
        {lines > 1 && (
          <>
            <Button onPress={() => show(0.5)}>{words.approvals.showMiddle}</Button>
            <Button onPress={() => show(1)}>{words.approvals.showEnd}</Button>
          </>
        )}
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys */}
      <section className={styles.text} ref={box} onScroll={look} aria-label={label} tabIndex={0} dir="ltr">
        <pre>
          <code>{text}</code>
        </pre>
      </section>
    </>
  );
}
