/** The text that a frame runs in: of a file as the image read it, of an evaluation as the history has it. */
import type { FrameSource, ShownSource } from '../contract/debugger';
import type { Evaluation } from '../contract/model';
import { read } from '../source/reader';
import { runningForm } from '../source/running-form';
import { formsOf } from '../source/syntax-tree';

/** Characters of one evaluation that are shown around a frame. */
const LONGEST = 20_000;

/** @param find a row of the history, by the number that the image names */
export function shownSource(
  { file, form, number, line, text, evaluation, position }: FrameSource,
  project: string,
  find: (id: number) => Evaluation | null,
): ShownSource | null {
  if (file !== null && text !== undefined)
    return { ...parted(text), line: line ?? 1, file, evaluation: null };
  if (evaluation === undefined) return null;
  // The image names the evaluation, so only one of its own project is looked at.
  const row = find(evaluation);
  const written = row?.project === project ? formAt(row.code, position ?? 0) : null;
  return written && { ...parted(written.text), line: written.line, file: null, evaluation };

  function parted(whole: string) {
    const { start, end } = (form !== null && runningForm(whole, form, number)) || {
      start: whole.length,
      end: null,
    };
    return {
      before: whole.slice(0, start),
      running: end === null ? null : whole.slice(start, end),
      after: end === null ? '' : whole.slice(end),
    };
  }
}

/** The form of a text that begins at a character, counted as Lisp does, by code point; and its line. */
function formAt(code: string, position: number): { text: string; line: number } | null {
  const start = Array.from(code).slice(0, position).join('').length;
  const form = formsOf(read(code, 'common-lisp').tree).find((node) => node.end > start);
  if (!form) return null;
  const line = code.slice(0, form.start).split('\n').length;
  return { text: code.slice(form.start, Math.min(form.end, form.start + LONGEST)), line };
}
