/** Places of compiler notes and errors in the text that was compiled. Pure. */
import type { Evaluation, Warning } from '../../electron/contract/model';
import type { Dialect } from '../../electron/source/dialect';
import { printedForm } from '../../electron/source/printed-form';
import { read } from '../../electron/source/reader';
import { formsOf, isBranch, isForm, walk } from '../../electron/source/syntax-tree';
import type { Severity, TextNote } from './source-editor';

/** The compiled code: forms of the text from an offset, or the whole file. */
export type Compiled = { start: number; code: string } | { file: string };

interface Placed {
  line?: number | undefined;
  column?: number | undefined;
  message: string;
  context?: string | undefined;
  /** The form there, printed. */
  source?: string | undefined;
}

/** Returns the notes of an evaluation in the text, in its order. */
export function notesOf(
  { warnings, condition, outcome, report }: Evaluation,
  text: string,
  dialect: Dialect,
  compiled: Compiled,
): TextNote[] {
  const place = placeIn(text, dialect, compiled);
  const isHere = ({ file }: Pick<Warning, 'file'>) =>
    'file' in compiled ? file === compiled.file : file === undefined;
  const notes = warnings.filter(isHere).map((each) => place(each, each.severity));
  const failures = (report?.failures ?? []).flatMap((each) =>
    'line' in each && isHere(each) ? [place(each, 'error')] : [],
  );
  const isPlaced = failures.length > 0 || 'file' in compiled;
  const failed =
    outcome !== 'ok' && condition && !isPlaced ? [place({ message: condition.message }, 'error')] : [];
  return [...notes, ...failures, ...failed];
}

function placeIn(text: string, dialect: Dialect, compiled: Compiled) {
  const start = 'file' in compiled ? 0 : compiled.start;
  const code = 'file' in compiled ? text : compiled.code;
  return ({ line, column = 1, message, context, source }: Placed, severity: Severity): TextNote => {
    const printed = line === undefined && source ? printedForm(read(code, dialect), source) : null;
    const from =
      line === undefined ? (printed?.start ?? firstName(code, dialect)) : offsetOf(code, line, column);
    const to = endOf(code, from, dialect);
    const about = context === undefined ? message : `${message}\n${context}`;
    return { from: start + from, to: start + to, severity, message: about };
  };
}

/** Lines and columns count from 1, columns in characters. */
function offsetOf(code: string, line: number, column: number): number {
  let at = 0;
  for (let left = line - 1; left > 0; left -= 1) {
    const end = code.indexOf('\n', at);
    if (end < 0) break;
    at = end + 1;
  }
  const text = code.slice(at).split('\n', 1)[0] ?? '';
  const units = Array.from(text)
    .slice(0, Math.max(column - 1, 0))
    .join('').length;
  return at + Math.max(units, /^\s*/.exec(text)?.[0].length ?? 0);
}

/** Returns the offset of the name that a definition defines, or else of its operator. */
function firstName(code: string, dialect: Dialect): number {
  const [form] = formsOf(read(code, dialect).tree);
  if (!form || !isBranch(form)) return form?.start ?? 0;
  const [operator, name] = formsOf(form);
  return name?.start ?? operator?.start ?? form.start;
}

/** Returns the end of the form that starts at an offset, on its line: a note does not underline half of a file. */
function endOf(code: string, from: number, dialect: Dialect): number {
  const line = code.indexOf('\n', from);
  const last = line < 0 ? code.length : line;
  let end = last;
  for (const { node } of walk(read(code, dialect).tree)) {
    if (node.start > from) break;
    if (isForm(node) && node.start === from) {
      end = node.end;
      break;
    }
  }
  return Math.max(Math.min(end, last), Math.min(from + 1, code.length));
}
