/**
 * What was evaluated in a session as a Jupyter notebook (https://nbformat.readthedocs.io/en/latest/format_description.html,
 * version 4.5): a cell for each evaluation, with what it printed, its values and its condition. Pure.
 */
import type { Condition, EngineName, Evaluation } from '../../contract/model';
import { dialectOf } from '../../source/dialect';

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
