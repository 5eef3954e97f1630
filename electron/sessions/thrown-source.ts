/** The text that a frame of an exception stands in, with the line that runs there: of a file as the image read it, of an evaluation as
 * the history has it. */
import type { ShownSource } from '../contract/debugger';
import type { Evaluation } from '../contract/model';
import type { ThrownPlace } from '../contract/thrown';
import { read } from '../source/reader';
import { formsOf } from '../source/syntax-tree';

/** Characters of one top-level form that are shown. */
const LONGEST = 20_000;

/** @param find a row of the history, by the number that the image names */
export function thrownSource(
  { line, file, start, text, evaluation }: ThrownPlace,
  project: string,
  find: (id: number) => Evaluation | null,
): ShownSource | null {
  if (file !== undefined && text !== undefined && start !== undefined) {
    const form = formAround(text, line - start + 1);
    return form && { ...parted(form, line - start + 1), line: start + form.line - 1, file, evaluation: null };
  }
  // The image names the evaluation, so only one of its own project is looked at.
  const row = evaluation === undefined ? null : find(evaluation);
  const form = row?.project === project ? formAround(row.code, line) : null;
  return form && { ...parted(form, line), line: form.line, file: null, evaluation: evaluation ?? null };
}

interface PlacedText {
  text: string;
  /** Of its first character, from 1. */
  line: number;
}

/** The top-level form of a text that has this line in it, counted from 1. */
function formAround(text: string, line: number): PlacedText | null {
  const lines = text.split('\n');
  if (line < 1 || line > lines.length) return null;
  const end = lines.slice(0, line).join('\n').length;
  const form = formsOf(read(text, 'clojure').tree).findLast((node) => node.start < end);
  if (!form) return null;
  const before = text.slice(0, form.start).split('\n').length;
  return { text: text.slice(form.start, Math.min(form.end, form.start + LONGEST)), line: before };
}

/** The text around the line, without the blanks before it. */
function parted(
  { text, line: first }: PlacedText,
  line: number,
): Pick<ShownSource, 'before' | 'running' | 'after'> {
  const lines = text.split('\n');
  const running = lines[line - first];
  if (running === undefined) return { before: text, running: null, after: '' };
  const indented = running.length - running.trimStart().length;
  const before = lines.slice(0, line - first).map((each) => `${each}\n`);
  const after = lines.slice(line - first + 1).map((each) => `\n${each}`);
  return {
    before: before.join('') + running.slice(0, indented),
    running: running.slice(indented),
    after: after.join(''),
  };
}
