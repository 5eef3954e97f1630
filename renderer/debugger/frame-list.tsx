/** The stack of what is held; the chosen frame is open. */
import type { HeldAt, ListedFrame } from '../../electron/contract/debugger';
import type { SessionView } from '../../electron/contract/model';
import { Button } from '../parts/button';
import { LispLine } from '../parts/lisp';
import { useWords } from '../services';
import styles from './debugger.module.css';
import { FrameDetail } from './frame-detail';
import type { FrameGroup } from './frame-groups';
import { GroupedFrames } from './grouped-frames';
import type { DebuggerActions } from './use-debugger-actions';

export interface FrameUse {
  session: SessionView;
  held: HeldAt;
  isBusy: boolean;
  /** Whether the values are asked for that the chosen frame is to return. */
  isReturning: boolean;
  onReturning: (returning: boolean) => void;
  actions: DebuggerActions;
}

interface FrameListProps extends FrameUse {
  groups: readonly FrameGroup[];
  total: number;
  shown: number;
  selected: number;
  onSelect: (index: number) => void;
  onMore: () => void;
}

export function FrameList({ groups, total, shown, selected, onSelect, onMore, ...use }: FrameListProps) {
  const words = useWords();
  const line = (frame: ListedFrame) => (
    <Frame
      key={frame.index}
      frame={frame}
      isSelected={frame.index === selected}
      onSelect={onSelect}
      {...use}
    />
  );
  return (
    <section aria-label={words.evaluations.frames} className={styles.frames}>
      <h3>{words.debug.frames(total)}</h3>
      <GroupedFrames groups={groups} engine={use.session.engine} line={line} />
      {shown < total && (
        <Button onPress={onMore}>{words.debug.moreFrames(words.formats.number(total - shown))}</Button>
      )}
    </section>
  );
}

interface FrameProps extends FrameUse {
  frame: ListedFrame;
  isSelected: boolean;
  onSelect: (index: number) => void;
}

function Frame({ frame: { index, call, inner }, isSelected, onSelect, ...use }: FrameProps) {
  return (
    <li className={styles.frame} data-open={isSelected || undefined}>
      <button
        type="button"
        className={styles.call}
        data-frame={index}
        data-inner={inner || undefined}
        aria-expanded={isSelected}
        // Only the chosen one is a stop of Tab: the arrow keys lead to the others.
        tabIndex={isSelected ? 0 : -1}
        onClick={() => onSelect(index)}
      >
        <span className={styles.index}>{index}</span>
        <LispLine code={call} engine={use.session.engine} />
      </button>
      {isSelected && <FrameDetail index={index} {...use} />}
    </li>
  );
}
