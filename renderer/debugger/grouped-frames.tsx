/** A stack, innermost frame first. The engine's own frames are one line until they are wanted. */
import { ChevronRight } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { ListedFrame } from '../../electron/contract/debugger';
import type { EngineName } from '../../electron/contract/model';
import { engineTitle } from '../parts/format';
import { useWords } from '../services';
import styles from './debugger.module.css';
import type { FrameGroup } from './frame-groups';

interface GroupedFramesProps {
  groups: readonly FrameGroup[];
  engine: EngineName;
  /** One frame as an item of a list. */
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
