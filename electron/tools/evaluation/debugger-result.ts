/** What `debug` answers of a held session's levels and frames: a frame as data, and both as text in the fewest words. */
import type { DebuggerView, FrameContents, Local } from '../../contract/debugger';
import { objectHandle } from '../../sessions/object-handle';
import { shortPath } from '../source-places';
import { frameLine, innerText, ownFrames } from './lean-frames';
import { restartText } from './record-text';

/** A frame whose locals have handles, as `inspect` takes them, in the place of objects. */
export type FrameResult = Omit<FrameContents, 'locals'> & {
  locals: (Omit<Local, 'object'> & { handle?: string })[];
};

export function frameResult(frame: FrameContents, generation: number): FrameResult {
  const locals = frame.locals.map(({ object, ...local }) =>
    object === undefined ? local : { ...local, handle: objectHandle(object, generation) },
  );
  return { ...frame, locals };
}

/** `next` is the first frame that is not shown; null at the end. */
export type DebuggerPage = DebuggerView & { next: number | null };

/** The levels and restarts with the innermost frames of the caller's code, or a page of the rest as it is. */
export function debuggerText(view: DebuggerPage, offset: number, engine: string): string {
  if (offset > 0) return [...view.frames.map(frameLine), ...moreLines(view.next, view.total)].join('\n');
  const { lines, next, rest } = ownFrames(view.frames, engine);
  const isAll = next === null && view.next === null;
  return [
    ...view.levels.map(levelText),
    '[restarts]',
    ...view.restarts.map(restartText),
    '[backtrace]',
    ...lines,
    ...(isAll ? innerText(rest, engine) : moreLines(next ?? view.next, view.total)),
  ].join('\n');
}

function levelText({ level, evaluation, type, message }: DebuggerView['levels'][number]): string {
  return `level ${level} (evaluation ${evaluation}): [${type}] ${message}`;
}

function moreLines(next: number | null, total: number): string[] {
  return next === null ? [] : [`; ${total - next} more frames from offset ${next}`];
}

/** @param project whose files go by their short names */
export function frameText(
  { index, call, locals, omitted, source, catches, restarts }: FrameResult,
  project: string,
): string {
  return [
    frameLine({ index, call }),
    ...locals.map(localText),
    ...(omitted === undefined ? [] : [`  … ${omitted} more locals`]),
    ...(source.form === null ? [] : [`runs ${source.form}`]),
    ...(source.file === null ? [] : [`in ${shortPath(source.file, project)}`]),
    ...(catches.length > 0 ? [`catches ${catches.join(', ')}`] : []),
    ...(restarts.length > 0 ? [`restarts with frame: ${index}: ${restarts.join(', ')}`] : []),
  ].join('\n');
}

function localText({ name, value, handle }: FrameResult['locals'][number]): string {
  return `  ${name} = ${value}${handle === undefined ? '' : `  ${handle}`}`;
}
