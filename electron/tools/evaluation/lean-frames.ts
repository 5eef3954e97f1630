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
  const own = callsOf(
    frames.filter(({ call }, place) => !isOwnEntry(call) && (place === 0 || !isInnerFrame(engine, call))),
  );
  const shown = own.slice(0, FRAMES);
  const lines = shown.flatMap((each, place) => {
    const skipped = place === 0 ? 0 : each.index - (shown[place - 1]?.last ?? each.index) - 1;
    const repeated = each.last === each.index ? [] : [`… the same in ${each.last - each.index} more`];
    return [...innerText(skipped, engine), frameLine(each), ...repeated];
  });
  const rest = (frames.at(-1)?.index ?? 0) - (shown.at(-1)?.last ?? 0);
  return { lines, next: own[shown.length]?.index ?? null, rest };
}

/** A call and the frames, one above the other, in which it stands: what calls itself without end fills the stack with one. */
interface RepeatedCall {
  index: number;
  last: number;
  call: string;
}

function callsOf(frames: Frames): RepeatedCall[] {
  const calls: RepeatedCall[] = [];
  for (const { index, call } of frames) {
    const before = calls.at(-1);
    if (before?.call === call && before.last === index - 1) before.last = index;
    else calls.push({ index, last: index, call });
  }
  return calls;
}

export function innerText(count: number, engine: string): string[] {
  return count === 0 ? [] : [`… ${count} ${count === 1 ? 'frame' : 'frames'} of ${engine}`];
}

export function frameLine({ index, call }: Pick<Frames[number], 'index' | 'call'>): string {
  const line = call.replaceAll(/\s+/g, ' ');
  return `${index}: ${line.length <= FRAME_CHARACTERS ? line : `${line.slice(0, FRAME_CHARACTERS)}…`}`;
}
