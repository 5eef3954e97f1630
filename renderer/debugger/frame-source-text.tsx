/** The text that a frame runs in, with the form that runs there marked and in view. */
import { useEffect, useRef } from 'react';
import type { ShownSource } from '../../electron/contract/debugger';
import type { EngineName } from '../../electron/contract/model';
import { shortenPath } from '../parts/format';
import { LispBlock, MarkedLisp } from '../parts/lisp';
import { formatRoute, START_ROUTE } from '../route';
import { useWords } from '../services';
import styles from './debugger.module.css';

interface FrameSourceTextProps {
  source: ShownSource | null;
  /** What runs, where there is no text to show it in. */
  form: string | null;
  engine: EngineName;
}

export function FrameSourceText({ source, form, engine }: FrameSourceTextProps) {
  const words = useWords();
  const mark = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another source is scrolled to anew.
  useEffect(() => mark.current?.scrollIntoView({ block: 'nearest' }), [source]);
  if (source === null) {
    if (form === null) return null;
    return (
      <figure className={styles.source}>
        <LispBlock code={form} engine={engine} />
        <figcaption>{words.debug.sourceUnknown}</figcaption>
      </figure>
    );
  }
  const { before, running, after } = source;
  return (
    <figure className={styles.source} aria-label={words.debug.source}>
      <MarkedLisp before={before} marked={running} after={after} engine={engine} markRef={mark} />
      <figcaption>
        <Place source={source} />
      </figcaption>
    </figure>
  );
}

function Place({ source: { file, evaluation, line, before, running } }: { source: ShownSource }) {
  const words = useWords();
  const at = running === null ? line : line + before.split('\n').length - 1;
  if (file !== null) return <span title={file}>{`${shortenPath(file, 44)}:${at}`}</span>;
  return (
    <>
      <a href={formatRoute({ ...START_ROUTE, view: 'history', evaluation })}>#{evaluation}</a>
      {words.debug.atLine(at)}
    </>
  );
}
