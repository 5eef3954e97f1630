/** What forms answered and what they printed. Long texts are cut with a button that shows the rest. */
import { type ReactNode, useState } from 'react';
import type { EngineName, FormResult } from '../../electron/contract/model';
import type { ValuePlace } from '../bridge-queries';
import type { OutputPiece } from '../live';
import { Button } from '../parts/button';
import { keyed } from '../parts/growing-list';
import { LispBlock } from '../parts/lisp';
import { useWords } from '../services';
import { LongValue } from './long-value';
import styles from './values-and-output.module.css';

const SHOWN = 4_000;

interface ValuesProps {
  form: FormResult;
  /** Of which evaluation it is which form. */
  place: Omit<ValuePlace, 'value'>;
  engine: EngineName;
}

/** The values of one form, one a line; a form may have none. */
export function Values({ form: { values, lengths = [] }, place, engine }: ValuesProps) {
  const words = useWords();
  if (values.length === 0) return <p className={styles.none}>{words.evaluations.noValues}</p>;
  return (
    <ul className={styles.values} aria-label={words.evaluations.values}>
      {keyed(values).map(({ key, item: text }) => {
        const value = Number(key);
        const length = lengths[value] ?? text.length;
        return (
          <li key={key}>
            {length > text.length ? (
              <LongValue place={{ ...place, value }} length={length} engine={engine} />
            ) : (
              <Cut text={text} render={(part) => <LispBlock code={part} engine={engine} />} />
            )}
          </li>
        );
      })}
    </ul>
  );
}

/** Output in the order in which it came; what went to stderr is marked. */
export function Output({ pieces }: { pieces: readonly OutputPiece[] }) {
  return (
    <div className={styles.output}>
      {keyed(pieces).map(({ key, item: { stream, text } }) => (
        <Cut key={key} text={text} render={(part) => <pre data-stream={stream}>{part}</pre>} />
      ))}
    </div>
  );
}

/** Of a long text the start, until the rest is asked for. */
function Cut({ text, render }: { text: string; render: (text: string) => ReactNode }) {
  const words = useWords();
  const [whole, setWhole] = useState(false);
  if (whole || text.length <= SHOWN * 1.5) return render(text);
  return (
    <>
      {render(text.slice(0, SHOWN))}
      <Button onPress={() => setWhole(true)}>
        {words.evaluations.showAll(words.formats.number(text.length))}
      </Button>
    </>
  );
}
