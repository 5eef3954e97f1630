/** A backtrace in the fewest words: the frames of the caller's own code, with the engine's counted. */
import type { Condition } from '../../contract/model';
import { isInnerFrame, isOwnEntry } from './inner-frames';

/** Frames that are shown, the innermost ones of the caller's code, and characters of each. */
const FRAMES = 10;
const FRAME_CHARACTERS = 160;

type Frames = Condition['frames'];

export interface OwnFrames {
  lines: string[];
  /** The first of the caller's own that is not shown; null where all that is left is the engine's. */
  next: number | null;
  /** How many of `frames` come after the last one that is shown. */
  rest: number;
}

/** The innermost frame says where it happened, whosever it is. */
export function ownFrames(frames: Frames, engine: string): OwnFrames {
  const own = frames.filter(
    ({ call }, place) => !isOwnEntry(call) && (place === 0 || !isInnerFrame(engine, call)),
  );
  const shown = own.slice(0, FRAMES);
  const lines = shown.flatMap((frame, place) => {
    const skipped = place === 0 ? 0 : frame.index - (shown[place - 1]?.index ?? frame.index) - 1;
    return [...innerText(skipped, engine), frameLine(frame)];
  });
  const rest = (frames.at(-1)?.index ?? 0) - (shown.at(-1)?.index ?? 0);
  return { lines, next: own[shown.length]?.index ?? null, rest };
}

export function innerText(count: number, engine: string): string[] {
  return count === 0 ? [] : [`… ${count} ${count === 1 ? 'frame' : 'frames'} of ${engine}`];
}

export function frameLine({ index, call }: Pick<Frames[number], 'index' | 'call'>): string {
  const line = call.replaceAll(/\s+/g, ' ');
  return `${index}: ${line.length <= FRAME_CHARACTERS ? line : `${line.slice(0, FRAME_CHARACTERS)}…`}`;
}
