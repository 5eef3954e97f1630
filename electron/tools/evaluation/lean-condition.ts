/** A condition in the fewest words: what the caller can do about it, and the frames of its own code. */
import type { Condition } from '../../contract/model';
import { innerText, ownFrames } from './lean-frames';
import type { EvaluationRecord } from './record';
import { moreText, restartText } from './record-text';

/** Where SBCL's manual says more. */
const SEE_ALSO = /\nSee also:\n(?: {2}.*\n?)+$/;

/** Restarts are told where one can be taken: of a level that is held. */
export function leanConditionText(
  { type, message, restarts, frames, omitted = {} }: Condition,
  { engine, outcome }: Pick<EvaluationRecord, 'engine' | 'outcome'>,
): string {
  return [
    `[${type}] ${message.replace(SEE_ALSO, '')}`,
    ...(outcome === 'debugger'
      ? ['[restarts]', ...restarts.map(restartText), ...moreText(omitted.restarts, 'restarts')]
      : []),
    ...backtrace(frames, engine, omitted.frames),
  ].join('\n');
}

/** `omitted` frames did not come at all: whose they are is not known. */
function backtrace(frames: Condition['frames'], engine: string, omitted = 0): string[] {
  const { lines, next, rest } = ownFrames(frames, engine);
  if (lines.length === 0) return [];
  const isAll = next === null && omitted === 0;
  return ['[backtrace]', ...lines, ...(isAll ? innerText(rest, engine) : moreText(rest + omitted, 'frames'))];
}
