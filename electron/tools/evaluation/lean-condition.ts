/** A condition in the fewest words: what the caller can do about it, and the frames of its own code. */
import type { Condition } from '../../contract/model';
import { innerText, ownFrames } from './lean-frames';
import type { EvaluationRecord } from './record';
import { moreText, restartText } from './record-text';

/** Restarts are told where one can be taken: of a level that is held. */
export function leanConditionText(
  { type, message, restarts, frames, omitted = {} }: Condition,
  { engine, outcome }: Pick<EvaluationRecord, 'engine' | 'outcome'>,
): string {
  return [
    `[${type}] ${message}`,
    ...(outcome === 'debugger'
      ? ['[restarts]', ...restarts.map(restartText), ...moreText(omitted.restarts, 'restarts')]
      : []),
    ...(frames.length > 0 ? ['[backtrace]', ...frameLines(frames, engine, omitted.frames)] : []),
  ].join('\n');
}

/** `omitted` frames did not come at all: whose they are is not known. */
function frameLines(frames: Condition['frames'], engine: string, omitted = 0): string[] {
  const { lines, next, rest } = ownFrames(frames, engine);
  if (next === null && omitted === 0) return [...lines, ...innerText(rest, engine)];
  return [...lines, ...moreText(rest + omitted, 'frames')];
}
