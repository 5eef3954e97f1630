/** Lisp code to be read: highlighted, as a block or as one line of a list. */
import { memo, useMemo } from 'react';
import type { EngineName } from '../../electron/contract/model';
import { firstLine } from './format';
import { highlight } from './highlight';
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

/** The first line; CSS cuts it where there is no more room. */
export const LispLine = memo(function LispLine({ code, engine }: LispProps) {
  return (
    <code className={styles.line}>
      <Pieces code={firstLine(code).slice(0, 400)} engine={engine} />
    </code>
  );
});

function Pieces({ code, engine }: LispProps) {
  const pieces = useMemo(() => highlight(code, engine), [code, engine]);
  let offset = 0;
  return pieces.map(({ text, style }) => {
    const key = offset;
    offset += text.length;
    return style === 'plain' ? (
      text
    ) : (
      <span key={key} className={styles[style]}>
        {text}
      </span>
    );
  });
}
