/** Lisp code to be read: highlighted, as a block or as one line of a list. */
import { memo, type ReactNode, type Ref, useMemo } from 'react';
import type { EngineName } from '../../electron/contract/model';
import { firstLine } from './format';
import { type CodePiece, cutPieces, highlight } from './highlight';
import { markHits } from './hits';
import styles from './lisp.module.css';

interface LispProps {
  code: string;
  engine: EngineName;
}

/** A whole text, with its line ends. */
export const LispBlock = memo(function LispBlock({ code, engine }: LispProps) {
  return (
    <pre className={styles.block}>
      <code>
        <Pieces code={code} engine={engine} />
      </code>
    </pre>
  );
});

/** The first line; CSS cuts it where there is no more room. @param query a text whose hits are marked */
export const LispLine = memo(function LispLine({ code, engine, query = '' }: LispProps & { query?: string }) {
  return (
    <code className={styles.line}>
      <Pieces code={firstLine(code).slice(0, 400)} engine={engine} query={query} />
    </code>
  );
});

interface MarkedLispProps {
  before: string;
  /** What is marked; null for nothing. */
  marked: string | null;
  after: string;
  engine: EngineName;
  markRef?: Ref<HTMLElement>;
}

/** A whole text with one part marked. */
export function MarkedLisp({ before, marked, after, engine, markRef }: MarkedLispProps) {
  const code = `${before}${marked ?? ''}${after}`;
  const pieces = useMemo(() => highlight(code, engine), [code, engine]);
  const [start, end] = [before.length, before.length + (marked ?? '').length];
  return (
    <pre className={styles.block}>
      <code>
        {styled(cutPieces(pieces, 0, start))}
        {marked !== null && <mark ref={markRef}>{styled(cutPieces(pieces, start, end))}</mark>}
        {styled(cutPieces(pieces, end, code.length))}
      </code>
    </pre>
  );
}

/** A line that is no code, with its hits marked. */
export function MarkedLine({ text, query }: { text: string; query: string }) {
  return <span className={styles.plainLine}>{styled([{ text, style: 'plain' }], query)}</span>;
}

function Pieces({ code, engine, query = '' }: LispProps & { query?: string }) {
  const pieces = useMemo(() => highlight(code, engine), [code, engine]);
  return styled(pieces, query);
}

function styled(pieces: readonly CodePiece[], query = ''): ReactNode {
  let offset = 0;
  return markHits(pieces, query).map(({ text, hit, piece: { style } }) => {
    const key = offset;
    offset += text.length;
    const className = style === 'plain' ? undefined : styles[style];
    if (hit)
      return (
        <mark key={key} className={className}>
          {text}
        </mark>
      );
    return className === undefined ? (
      text
    ) : (
      <span key={key} className={className}>
        {text}
      </span>
    );
  });
}
