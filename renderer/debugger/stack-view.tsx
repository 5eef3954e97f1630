/** A stack, innermost frame first. Frames of the engine are folded into one line. */

import { ChevronRight } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { ListedFrame, ShownSource } from '../../electron/contract/debugger';
import type { EngineName } from '../../electron/contract/model';
import { LispBlock, MarkedLisp } from '../parts/code';
import { engineTitle, shortenPath } from '../parts/format';
import { formatRoute, START_ROUTE } from '../route';
import { useWords } from '../services';
import styles from './debugger.module.css';
import type { FrameGroup } from './debugger-model';

interface GroupedFramesProps {
  groups: readonly FrameGroup[];
  engine: EngineName;
  /** Renders one frame as a list item. */
  line: (frame: ListedFrame) => ReactNode;
}

export function GroupedFrames({ groups, engine, line }: GroupedFramesProps) {
  return (
    <ol>
      {groups.map((group) =>
        group.is === 'frame' ? (
          line(group.frame)
        ) : (
          <Inner key={`inner ${group.frames[0]?.index}`} engine={engine} frames={group.frames} line={line} />
        ),
      )}
    </ol>
  );
}

interface InnerProps extends Omit<GroupedFramesProps, 'groups'> {
  frames: readonly ListedFrame[];
}

function Inner({ engine, frames, line }: InnerProps) {
  const words = useWords();
  const [open, setOpen] = useState(false);
  return (
    <>
      <li>
        <button type="button" className={styles.folded} aria-expanded={open} onClick={() => setOpen(!open)}>
          <ChevronRight size={12} aria-hidden />
          {words.debug.framesOf(frames.length, engineTitle(engine))}
        </button>
      </li>
      {open && frames.map(line)}
    </>
  );
}

// The source text around a frame. The running form is marked and scrolled into view.

interface FrameSourceTextProps {
  source: ShownSource | null;
  /** The running form, for a frame without source text. */
  form: string | null;
  engine: EngineName;
}

export function FrameSourceText({ source, form, engine }: FrameSourceTextProps) {
  const words = useWords();
  const mark = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls again for another source.
  useEffect(() => showMark(mark.current), [source]);
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

/** Scrolls to the mark, but not sideways if its start is visible anyway. */
function showMark(mark: HTMLElement | null): void {
  mark?.scrollIntoView({ block: 'nearest' });
  const text = mark?.closest('pre');
  if (mark && text && mark.offsetLeft - text.offsetLeft < text.clientWidth * 0.8) text.scrollLeft = 0;
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
