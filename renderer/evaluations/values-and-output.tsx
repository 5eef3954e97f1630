/** What forms answered and what they printed. Long texts are cut with a button that shows the rest. */
import { type ReactNode, useState } from 'react';
import type { EngineName, FormResult } from '../../electron/contract/model';
import type { ValuePlace } from '../bridge-queries';
import type { OutputPiece } from '../live';
import { Button } from '../parts/button';
import { keyed } from '../parts/keyed';
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

/** Output in the order in which it came; what went to stderr is marked. @param whole whether long output is shown at once */
export function Output({ pieces, whole = false }: { pieces: readonly OutputPiece[]; whole?: boolean }) {
  return (
    <div className={styles.output}>
      {keyed(pieces).map(({ key, item: { stream, text } }) => (
        <Cut key={key} text={text} whole={whole} render={(part) => <pre data-stream={stream}>{part}</pre>} />
      ))}
    </div>
  );
}

/** What the history kept of output, which has the streams apart. */
export function piecesOf(stdout: string, stderr: string): OutputPiece[] {
  const pieces: OutputPiece[] = [
    { stream: 'stdout', text: stdout },
    { stream: 'stderr', text: stderr },
  ];
  return pieces.filter(({ text }) => text !== '');
}

/** Of a long text the start, until the rest is asked for. */
function Cut({
  text,
  whole = false,
  render,
}: {
  text: string;
  whole?: boolean;
  render: (text: string) => ReactNode;
}) {
  const words = useWords();
  const [asked, setAsked] = useState(false);
  if (whole || asked || text.length <= SHOWN * 1.5) return render(text);
  return (
    <>
      {render(text.slice(0, SHOWN))}
      <Button onPress={() => setAsked(true)}>
        {words.evaluations.showAll(words.formats.number(text.length))}
      </Button>
    </>
  );
}
