/** Frames as people read them: their own one by one, the engine's own between them folded into one line. Pure. */
import type { ListedFrame } from '../../electron/contract/debugger';

export type FrameGroup =
  | { is: 'frame'; frame: ListedFrame }
  | { is: 'inner'; frames: readonly ListedFrame[] };

/** The innermost frame says where it happened, whosever it is. */
export function frameGroups(frames: readonly ListedFrame[]): FrameGroup[] {
  const groups: FrameGroup[] = [];
  let folded: ListedFrame[] = [];
  frames.forEach((frame, place) => {
    if (frame.inner && place > 0) {
      if (folded.length === 0) groups.push({ is: 'inner', frames: folded });
      folded.push(frame);
      return;
    }
    folded = [];
    groups.push({ is: 'frame', frame });
  });
  return groups;
}

/** The frame to look at first: the innermost one of the person's own code, or else the innermost. */
export function firstFrame(frames: readonly ListedFrame[]): number {
  return (frames.find(({ inner }) => !inner) ?? frames[0])?.index ?? 0;
}

/** The frame that is `by` further among those that are shown; the same one at an end. */
export function frameBeside(groups: readonly FrameGroup[], index: number, by: 1 | -1): number {
  const shown = groups.flatMap((group) => (group.is === 'frame' ? [group.frame.index] : []));
  const place = shown.indexOf(index);
  // One that is folded stands between two that are shown.
  if (place < 0) return shown.find((each) => (by > 0 ? each > index : each < index)) ?? index;
  return shown[place + by] ?? index;
}
