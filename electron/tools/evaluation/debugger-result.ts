/** What `debug` answers of a held session's levels and frames: a frame as data, and both as text with every fact of the data. */
import type { DebuggerView, FrameContents } from '../../contract/debugger';
import type { Local } from '../../contract/model';
import { objectHandle } from '../../sessions/object-handle';
import { shortPath } from '../source-places';
import { frameLines } from './lean-condition';
import { restartText } from './record-text';

/** A frame whose locals have handles, as `inspect` takes them, in the place of objects. The text around what runs is for people. */
export type FrameResult = Omit<FrameContents, 'locals' | 'source'> & {
  locals: (Omit<Local, 'object'> & { handle?: string })[];
  source: Pick<FrameContents['source'], 'file' | 'form'>;
};

export function frameResult(frame: FrameContents, generation: number): FrameResult {
  const { file, form } = frame.source;
  const locals = frame.locals.map(({ object, ...local }) =>
    object === undefined ? local : { ...local, handle: objectHandle(object, generation) },
  );
  return { ...frame, locals, source: { file, form } };
}

/** `next` is the first frame that is not shown; null at the end. The engine's own frames are counted. */
export function debuggerText(view: DebuggerView & { next: number | null }, engine: string): string {
  const levels = view.levels.map(
    ({ level, evaluation, type, message }) =>
      `level ${level} (evaluation ${evaluation}): [${type}] ${message}`,
  );
  return [
    ...levels,
    '[restarts]',
    ...view.restarts.map(restartText),
    '[backtrace]',
    ...frameLines(view.frames, engine, { most: view.frames.length }),
    ...(view.next === null ? [] : [`; ${view.total} frames, more from offset ${view.next}`]),
  ].join('\n');
}

/** @param project whose files go by their short names */
export function frameText(
  { index, call, locals, omitted, source, catches, restarts }: FrameResult,
  project: string,
): string {
  return [
    `${index}: ${call}`,
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
