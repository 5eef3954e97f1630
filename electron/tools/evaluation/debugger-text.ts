/** What the debugger shows as text: every fact of the structured result. */
import type { DebuggerView } from '../../contract/debugger';
import type { FrameResult } from './debug';
import { restartText } from './record-text';

/** `next` is the first frame that is not shown; null at the end. */
export function debuggerText(view: DebuggerView & { next: number | null }): string {
  const levels = view.levels.map(
    ({ level, evaluation, type, message }) =>
      `level ${level} (evaluation ${evaluation}): [${type}] ${message}`,
  );
  const frames = view.frames.map(({ index, call }) => `${index}: ${call}`);
  return [
    '[Levels]',
    ...levels,
    '[Restarts]',
    ...view.restarts.map(restartText),
    '[Backtrace]',
    ...frames,
    `; ${view.total} frames, ${view.next === null ? 'end of the backtrace' : `more from offset ${view.next}`}`,
  ].join('\n');
}

export function frameText({ index, call, locals, source, catches, restarts }: FrameResult): string {
  const facts = [`${index}: ${call}`, ...locals.map(localText)];
  facts.push(source.form === null ? 'its form is not known' : `runs ${source.form}`);
  facts.push(source.file === null ? 'in no file' : `in ${source.file}`);
  if (catches.length > 0) facts.push(`catches ${catches.join(', ')}`);
  if (restarts.length > 0) facts.push(`restarts with frame: ${index}: ${restarts.join(', ')}`);
  return facts.join('\n');
}

function localText({ name, value, handle }: FrameResult['locals'][number]): string {
  return `  ${name} = ${value}${handle === undefined ? '' : `  ${handle}`}`;
}
