/** A value of which the history's row has only the beginning, page by page. */
import { useState } from 'react';
import type { EngineName } from '../../electron/contract/model';
import { useValuePage, type ValuePlace } from '../bridge-queries';
import { Button } from '../parts/button';
import { Problem } from '../parts/feedback';
import { LispBlock } from '../parts/lisp';
import { useWords } from '../services';
import styles from './values-and-output.module.css';

interface LongValueProps {
  place: ValuePlace;
  /** Characters of all of it. */
  length: number;
  engine: EngineName;
}

export function LongValue({ place, length, engine }: LongValueProps) {
  const words = useWords();
  /** Where each page begins that was turned to; the last is shown. */
  const [turned, setTurned] = useState<readonly number[]>([0]);
  const { number } = words.formats;
  const offset = turned.at(-1) ?? 0;
  const { data, error } = useValuePage(place, offset);
  const next = data?.next ?? offset;
  return (
    <>
      {error && <Problem>{error.message}</Problem>}
      {data && <LispBlock code={data.text} engine={engine} />}
      <nav className={styles.pages} aria-label={words.evaluations.pages}>
        <Button isDisabled={turned.length === 1} onPress={() => setTurned(turned.slice(0, -1))}>
          {words.evaluations.back}
        </Button>
        <Button isDisabled={next >= length} onPress={() => setTurned([...turned, next])}>
          {words.evaluations.further}
        </Button>
        <span>{words.evaluations.stretch(number(offset + 1), number(next), number(length))}</span>
      </nav>
    </>
  );
}
