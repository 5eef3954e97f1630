/** The values and output of an evaluation. Long texts are truncated, with a button that shows the rest. */

import { ChevronRight } from 'lucide-react';
import { type ReactNode, useMemo, useState } from 'react';
import type { Condition, EngineName, FormResult } from '../../electron/contract/model';
import { useValuePage, type ValuePlace } from '../bridge-queries';
import type { OutputPiece } from '../live';
import { Button } from '../parts/button';
import { LispBlock } from '../parts/code';
import { withoutType } from '../parts/format';
import { keyed, Problem } from '../parts/view';
import { useWords } from '../services';
import styles from './evaluation-result.module.css';

const SHOWN = 4_000;

interface ValuesProps {
  form: FormResult;
  /** The evaluation and the form. */
  place: Omit<ValuePlace, 'value'>;
  engine: EngineName;
}

/** The values of one form, one per line. A form may have none. */
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

/**
 * Output in order of arrival; stderr is marked.
 * @param whole whether to show long output completely
 */
export function Output({ pieces, whole = false }: { pieces: readonly OutputPiece[]; whole?: boolean }) {
  return (
    <div className={styles.output}>
      {keyed(pieces).map(({ key, item: { stream, text } }) => (
        <Cut key={key} text={text} whole={whole} render={(part) => <pre data-stream={stream}>{part}</pre>} />
      ))}
    </div>
  );
}

/** Output with more lines is folded. */
const MOST_LINES = 6;
/** Number of lines before and after the fold. */
const AT_EACH_END = 2;

/** Output with its first and last lines; those between them on request. */
export function FoldedOutput({ pieces, whole }: { pieces: readonly OutputPiece[]; whole: boolean }) {
  const words = useWords();
  const [isOpen, setOpen] = useState(false);
  const fold = useMemo(() => (whole ? null : foldOf(pieces)), [pieces, whole]);
  if (!fold) return <Output pieces={pieces} whole={whole} />;
  return (
    <div className={styles.folded}>
      {!isOpen && <Output pieces={fold.head} />}
      <button type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <ChevronRight size={12} aria-hidden />
        {isOpen ? words.evaluations.fold : words.evaluations.moreLines(words.formats.number(fold.hidden))}
      </button>
      <Output pieces={isOpen ? pieces : fold.tail} />
    </div>
  );
}

interface Fold {
  head: readonly OutputPiece[];
  /** The number of lines between head and tail. */
  hidden: number;
  tail: readonly OutputPiece[];
}

/** Returns the first and the last lines of long output; null if it is short. */
export function foldOf(pieces: readonly OutputPiece[]): Fold | null {
  const lines = pieces.flatMap(({ stream, text }) =>
    text
      .replace(/\n$/, '')
      .split('\n')
      .map((line) => ({ stream, text: line })),
  );
  if (lines.length <= MOST_LINES) return null;
  return {
    head: joined(lines.slice(0, AT_EACH_END)),
    hidden: lines.length - 2 * AT_EACH_END,
    tail: joined(lines.slice(-AT_EACH_END)),
  };
}

/** Joins consecutive lines of one stream. */
function joined(lines: readonly OutputPiece[]): OutputPiece[] {
  const pieces: OutputPiece[] = [];
  for (const { stream, text } of lines) {
    const last = pieces.at(-1);
    if (last?.stream === stream) last.text += `\n${text}`;
    else pieces.push({ stream, text });
  }
  return pieces;
}

/** Reports whether a condition is a step of the stepper, which is no failure. */
export function isStep(type: string): boolean {
  return /(?:^|:)STEP-(?:[A-Z]+-)*CONDITION$/.test(type);
}

/** Converts recorded output, in which the streams are separate. */
export function piecesOf(stdout: string, stderr: string): OutputPiece[] {
  const pieces: OutputPiece[] = [
    { stream: 'stdout', text: stdout },
    { stream: 'stderr', text: stderr },
  ];
  return pieces.filter(({ text }) => text !== '');
}

/** The start of a long text, with a button that shows the rest. */
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
  const [showsAll, setShowsAll] = useState(false);
  if (whole || showsAll || text.length <= SHOWN * 1.5) return render(text);
  return (
    <>
      {render(text.slice(0, SHOWN))}
      <Button onPress={() => setShowsAll(true)}>
        {words.evaluations.showAll(words.formats.number(text.length))}
      </Button>
    </>
  );
}

// A long value, loaded page by page. The history row contains only its beginning.

interface LongValueProps {
  place: ValuePlace;
  /** Total number of characters. */
  length: number;
  engine: EngineName;
}

export function LongValue({ place, length, engine }: LongValueProps) {
  const words = useWords();
  /** The offsets of the visited pages; the last one is shown. */
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

/** An unhandled condition: type and message, restarts and frames. */
export function ConditionView({ condition }: { condition: Condition }) {
  const words = useWords();
  const { restarts, frames } = condition;
  return (
    <div className={styles.condition}>
      <ConditionLine type={condition.type} message={condition.message} />
      {restarts.length > 0 && (
        <>
          <h3>{words.evaluations.restarts}</h3>
          <ol className={styles.rows} aria-label={words.evaluations.restarts}>
            {restarts.map(({ index, name, description }) => (
              <li key={index}>
                <span className={styles.index}>{index}</span>
                <span>
                  <code>{name}</code>{' '}
                  <span className={styles.description} lang="en">
                    {description}
                  </span>
                </span>
              </li>
            ))}
          </ol>
        </>
      )}
      {frames.length > 0 && (
        <details>
          <summary>{words.evaluations.framesOf(frames.length)}</summary>
          <ol className={styles.rows} aria-label={words.evaluations.frames}>
            {frames.map(({ index, call }) => (
              <li key={index}>
                <span className={styles.index}>{index}</span>
                <code>{call}</code>
              </li>
            ))}
          </ol>
        </details>
      )}
    </div>
  );
}

/** Only type and message of a condition. */
export function ConditionLine({ type, message }: { type: string; message: string }) {
  return (
    <p className={styles.line} data-step={isStep(type) || undefined}>
      <code>{type}</code>{' '}
      <span className={styles.message} lang="en">
        {withoutType(message, type)}
      </span>
    </p>
  );
}
