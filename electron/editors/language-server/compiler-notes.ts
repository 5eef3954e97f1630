/**
 * Places in files that loads and evaluations reported: notes of the compiler, errors, events that ACL2 did not admit.
 * Each belongs to a top-level form and is shown as long as the text has that form unchanged.
 */
import { type Diagnostic, DiagnosticSeverity } from 'vscode-languageserver/node';
import type { ToolAnswer } from '../../contract/local-socket';
import { printedForm } from '../../source/printed-form';
import { unitAt } from '../../source/text';
import type { LispText } from '../lisp-text';

/** A place in a file counts from 1, its column in characters. */
interface Placed {
  file?: string;
  line?: number;
  column?: number;
  /** The form there, printed. */
  source?: string;
  context?: string;
  message: string;
  type: string;
}

interface CompilerNote {
  /** The text of its top-level form, and the range of the note in it. */
  form: string;
  start: number;
  end: number;
  severity: DiagnosticSeverity;
  message: string;
  code: string;
}

const SEVERITIES: ReadonlyMap<string, DiagnosticSeverity> = new Map([
  ['warning', DiagnosticSeverity.Warning],
  ['style-warning', DiagnosticSeverity.Information],
  ['note', DiagnosticSeverity.Hint],
]);

/** Longest message that an editor shows well. */
const LONGEST_MESSAGE = 4_000;

export class CompilerNotes {
  readonly #notes = new Map<string, CompilerNote[]>();

  /**
   * Takes the notes of a load in place of earlier ones about its files.
   * @param loaded the file that was loaded, if it is known
   * @param textOf returns the text that was loaded
   * @returns the files whose notes have changed
   */
  async loaded(
    record: ToolAnswer['data'],
    loaded: string | null,
    textOf: (file: string) => Promise<LispText | null>,
  ): Promise<string[]> {
    const placed = [...warningsIn(record), ...failuresIn(record)];
    const files = new Set([
      ...placed.flatMap(({ file }) => file ?? []),
      ...(loaded === null ? [] : [loaded]),
    ]);
    for (const file of files) {
      const text = await textOf(file);
      const own = placed.filter((each) => each.file === file);
      this.#notes.set(file, text ? own.flatMap((each) => noteAt(each, text) ?? []) : []);
    }
    return [...files];
  }

  /**
   * Takes the notes of an evaluation of a part of a text in place of earlier ones about its forms.
   * @param key the file, or the URI of a text without one
   */
  evaluated(record: ToolAnswer['data'], key: string, text: LispText, from: number, to: number): void {
    const forms = text.outerForms.filter(({ whole }) => whole.start >= from && whole.end <= to);
    const written = forms.map(({ whole }) => text.text.slice(whole.start, whole.end));
    const firstLine = text.document.positionAt(from).line;
    const lineOf = (form: number) => text.document.positionAt(forms[form]?.whole.start ?? from).line + 1;
    const warnings = warningsIn(record).map(({ line, form, ...warning }) => ({
      ...warning,
      ...(line === undefined
        ? (placeOf(text, warning.source, forms[form]?.whole) ?? { line: lineOf(form) })
        : { line: line + firstLine }),
    }));
    // The forms before the one that failed.
    const { forms: completed = [], condition } = record as { forms?: unknown[]; condition?: Placed };
    const failures = condition && record.outcome === 'error' ? [condition] : [];
    const line = lineOf(Math.min(completed.length, forms.length - 1));
    const notes = [...warnings, ...failures.map((each) => ({ ...each, severity: undefined, line }))];
    this.#notes.set(key, [
      ...(this.#notes.get(key) ?? []).filter(({ form }) => !written.includes(form)),
      ...notes.flatMap((each) => noteAt(each, text) ?? []),
    ]);
  }

  /** Returns those whose form is in the text. */
  diagnostics(key: string, text: LispText): Diagnostic[] {
    const notes = this.#notes.get(key) ?? [];
    if (notes.length === 0) return [];
    const starts = new Map(
      text.outerForms.map(({ whole }) => [text.text.slice(whole.start, whole.end), whole.start]),
    );
    return notes.flatMap(({ form, start, end, severity, message, code }): Diagnostic[] => {
      const at = starts.get(form);
      if (at === undefined) return [];
      const range = text.range({ start: at + start, end: at + end });
      return [{ range, severity, message, code, source: 'lisp-harbor' }];
    });
  }
}

function warningsIn({ warnings = [] }: ToolAnswer['data']) {
  return warnings as (Placed & { severity: string; form: number })[];
}

/** The failures of a load; ACL2 reports the event that was not admitted there. */
function failuresIn({ report }: ToolAnswer['data']): (Placed & { severity?: string })[] {
  return (report as { failures?: Placed[] } | undefined)?.failures ?? [];
}

/** Returns the place of a form that the compiler printed, as in `Placed`. */
function placeOf(
  { source, text, document }: LispText,
  printed: string | undefined,
  around?: { start: number; end: number },
): { line: number; column: number } | null {
  const found = printed && around ? printedForm(source, printed, around.start, around.end) : null;
  if (!found) return null;
  const { line } = document.positionAt(found.start);
  const start = document.offsetAt({ line, character: 0 });
  return { line: line + 1, column: Array.from(text.slice(start, found.start)).length + 1 };
}

function noteAt(
  { line = 1, column = 1, message, type, context, severity }: Placed & { severity?: string | undefined },
  text: LispText,
): CompilerNote | null {
  const lineStart = text.document.offsetAt({ line: line - 1, character: 0 });
  const lineText = text.text.slice(lineStart).split('\n', 1)[0] ?? '';
  const offset = lineStart + Math.max(unitAt(lineText, column - 1), /^\s*/.exec(lineText)?.[0].length ?? 0);
  const around = text.outerForms.find(({ whole }) => whole.start <= offset && offset < whole.end);
  if (!around) return null;
  const { start: from, end: to } = around.whole;
  // A note about a list marks its operator, else half of a file would be underlined.
  const node = text.nodesAt(offset).at(-1);
  const end = text.nodesAt(offset + 1).at(-1)?.end ?? to;
  const lineEnd = lineStart + lineText.trimEnd().length;
  const last = Math.min(node?.kind === 'token' ? node.end : end, lineEnd, to);
  return {
    form: text.text.slice(from, to),
    start: offset - from,
    end: Math.max(last, offset + 1) - from,
    severity:
      severity === undefined
        ? DiagnosticSeverity.Error
        : (SEVERITIES.get(severity) ?? DiagnosticSeverity.Warning),
    message: `${message}${context === undefined ? '' : `\nIn ${context}.`}`.slice(0, LONGEST_MESSAGE),
    code: type,
  };
}
