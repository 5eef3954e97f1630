/** A condition in the fewest words: what the caller can do about it, and the frames of its own code. */
import type { Condition } from '../../contract/model';
import { isInnerFrame, isLoaderFrame } from '../../sessions/inner-frames';
import { isOfProver } from '../prover/quoted';
import type { EvaluationRecord } from './record';
import { conditionText, moreText, restartText } from './record-text';

/** Frames that are shown, the innermost ones of the caller's code, and characters of each. */
const FRAMES = 10;
const FRAME_CHARACTERS = 160;
/** Where SBCL's manual says more. */
const SEE_ALSO = /\nSee also:\n(?: {2}.*\n?)+$/;

/** What our own loader signals, whose message is a sentence. */
const NOT_COMPILED = 'LISP-HARBOR-AGENT:COMPILATION-FAILED';

/** Restarts are told where one can be taken: of a level that is held.
 * @param isSaid whether a failure that was told says the same, so that only the frames are news */
export function leanConditionText(
  condition: Condition,
  { engine, outcome }: Pick<EvaluationRecord, 'engine' | 'outcome'>,
  isSaid = false,
): string {
  const { type, message, restarts, frames, omitted = {} } = condition;
  if (isOfProver({ engine })) return isSaid ? '' : conditionText(condition, { engine });
  const said = message.replace(SEE_ALSO, '');
  const backtrace = frameLines(frames, engine, { omitted: omitted.frames, most: FRAMES });
  return [
    ...(isSaid ? [] : [type === NOT_COMPILED ? said : `[${type}] ${said}`]),
    ...(outcome === 'debugger'
      ? ['[restarts]', ...restarts.map(restartText), ...moreText(omitted.restarts, 'restarts')]
      : []),
    ...(backtrace.length > 0 ? ['[backtrace]', ...backtrace] : []),
  ].join('\n');
}

/** The innermost frame says where it happened, whosever it is but the loader's; of the others the engine's own are counted.
 * None where all are the engine's.
 * @param most how many are shown */
export function frameLines(
  frames: Condition['frames'],
  engine: string,
  { omitted = 0, most }: { omitted?: number | undefined; most: number },
): string[] {
  const own = callsOf(
    frames.filter(({ call }, place) => (place === 0 && !isLoaderFrame(call)) || !isInnerFrame(engine, call)),
  );
  if (own.length === 0) return [];
  const shown = own.slice(0, most);
  const lines = shown.flatMap(({ index, last, call }, place) => {
    const skipped = place === 0 ? 0 : index - (shown[place - 1]?.last ?? index) - 1;
    return [
      ...(skipped === 0 ? [] : [`… ${framesOf(skipped, engine)}`]),
      `${index}: ${shortCall(call)}`,
      ...(last === index ? [] : [`… the same in ${last - index} more`]),
    ];
  });
  const rest = (frames.at(-1)?.index ?? 0) - (shown.at(-1)?.last ?? 0);
  const isInner = own.length === shown.length && omitted === 0;
  if (rest > 0 && isInner) return [...lines, `… ${framesOf(rest, engine)}`];
  return [...lines, ...moreText(rest + omitted === 0 ? undefined : rest + omitted, 'frames')];
}

/** A call and the frames, one above the other, in which it stands: what calls itself without end fills the stack with one. */
interface RepeatedCall {
  index: number;
  last: number;
  call: string;
}

function callsOf(frames: Condition['frames']): RepeatedCall[] {
  const calls: RepeatedCall[] = [];
  for (const { index, call } of frames) {
    const before = calls.at(-1);
    if (before?.call === call && before.last === index - 1) before.last = index;
    else calls.push({ index, last: index, call });
  }
  return calls;
}

function framesOf(count: number, engine: string): string {
  return `${count} ${count === 1 ? 'frame' : 'frames'} of ${engine}`;
}

function shortCall(call: string): string {
  const line = call.replaceAll(/\s+/g, ' ');
  return line.length <= FRAME_CHARACTERS ? line : `${line.slice(0, FRAME_CHARACTERS)}…`;
}
