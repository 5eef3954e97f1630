/** The file formats of exported evaluations: source, Markdown and Jupyter notebook. Pure. */

import type { ExportFormat } from '../../contract/history';
import type { Condition, EngineName, Evaluation } from '../../contract/model';
import { type Dialect, dialectOf } from '../../source/dialect';

/**
 * Returns loadable source: each form follows a comment with its origin; its values follow as comments. Failed
 * evaluations are commented out.
 * @param rows of one dialect, oldest first
 */
function sourceText(rows: readonly Evaluation[]): string {
  return `${rows.map(sourceOf).join('\n\n')}\n`;
}

/** @param rows oldest first */
function markdownText(rows: readonly Evaluation[]): string {
  return `# Evaluations\n\n${rows.map(sectionOf).join('\n\n')}\n`;
}

function sourceOf(row: Evaluation): string {
  const { code, outcome, forms, condition } = row;
  const values = forms.at(-1)?.values ?? [];
  const went = outcome === 'ok' ? values.map((value) => `=> ${value}`) : [outcomeText(row)];
  return [
    `;;; ${headOf(row)}`,
    outcome === 'ok' ? code.trimEnd() : commented(code.trimEnd()),
    ...(condition || went.length > 0 ? [commented(went.join('\n'))] : []),
  ].join('\n');
}

function sectionOf(row: Evaluation): string {
  const { code, engine, stdout, stderr, forms, outcome } = row;
  const values = forms.flatMap((form) => form.values);
  const language = dialectOf(engine) === 'clojure' ? 'clojure' : 'lisp';
  return [
    `## ${headOf(row)}`,
    fenced(code.trimEnd(), language),
    ...(stdout + stderr === '' ? [] : ['Output:', fenced(stdout + stderr, '')]),
    ...(values.length === 0 ? [] : ['Values:', fenced(values.join('\n'), language)]),
    ...(outcome === 'ok' ? [] : [`**${outcomeText(row)}**`]),
  ].join('\n\n');
}

function headOf({ id, client, session, startedAt, outcome }: Evaluation): string {
  return `#${id} · ${client} · ${session} · ${new Date(startedAt).toISOString()} · ${outcome}`;
}

function outcomeText({ outcome, condition }: Evaluation): string {
  return condition ? `${condition.type}: ${condition.message}` : outcome;
}

function commented(text: string): string {
  return text
    .split('\n')
    .map((line) => `;; ${line}`.trimEnd())
    .join('\n');
}

/** Encloses the text in a fence that is longer than any in the text. */
function fenced(text: string, language: string): string {
  const longest = Math.max(2, ...Array.from(text.matchAll(/`+/g), ([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text.replace(/\n$/, '')}\n${fence}`;
}

type Rows = readonly Evaluation[];

/** `rows` are oldest first. */
interface Export {
  fitting: (rows: Rows) => Rows;
  text: (rows: Rows) => string;
}

export const EXPORTS: Readonly<Record<ExportFormat, Export>> = {
  lisp: { fitting: written('common-lisp'), text: sourceText },
  clj: { fitting: written('clojure'), text: sourceText },
  ipynb: {
    // A notebook has one kernel.
    fitting: (rows) => rows.filter(({ engine }) => engine === rows.at(-1)?.engine),
    text: (rows) => notebookText(rows, rows.at(-1)?.engine ?? 'sbcl'),
  },
  md: {
    fitting: (rows) => rows,
    text: markdownText,
  },
};

function written(dialect: Dialect): (rows: Rows) => Rows {
  return (rows) => rows.filter(({ engine }) => dialectOf(engine) === dialect);
}

// The notebook format 4.5, https://nbformat.readthedocs.io/en/latest/format_description.html: a cell for each
// evaluation, with its output, values and condition.

type Output = Readonly<Record<string, unknown>>;

/** @param rows oldest first */
export function notebookText(rows: readonly Evaluation[], engine: EngineName): string {
  const language = dialectOf(engine) === 'clojure' ? 'clojure' : 'common-lisp';
  const notebook = {
    cells: rows.map((row, index) => cell(row, index + 1)),
    metadata: {
      kernelspec: { name: engine, display_name: engine, language },
      language_info: { name: language },
    },
    nbformat: 4,
    nbformat_minor: 5,
  };
  return `${JSON.stringify(notebook, null, 1)}\n`;
}

function cell(row: Evaluation, count: number): Output {
  const { id, client, package: packageName, code, outcome } = row;
  return {
    cell_type: 'code',
    id: `evaluation-${id}`,
    metadata: { lisp_harbor: { evaluation: id, client, package: packageName, outcome } },
    execution_count: count,
    source: code,
    outputs: outputs(row, count),
  };
}

function outputs({ stdout, stderr, forms, condition }: Evaluation, count: number): Output[] {
  const values = forms.flatMap((form) => form.values).join('\n');
  return [
    ...stream('stdout', stdout),
    ...stream('stderr', stderr),
    ...(values === '' ? [] : [result(values, count)]),
    ...(condition ? [failure(condition)] : []),
  ];
}

function stream(name: 'stdout' | 'stderr', text: string): Output[] {
  return text === '' ? [] : [{ output_type: 'stream', name, text }];
}

function result(values: string, count: number): Output {
  const data = { 'text/plain': values };
  return { output_type: 'execute_result', execution_count: count, data, metadata: {} };
}

function failure({ type, message, frames }: Condition): Output {
  const traceback = [`${type}: ${message}`, ...frames.map(({ index, call }) => `${index}: ${call}`)];
  return { output_type: 'error', ename: type, evalue: message, traceback };
}
