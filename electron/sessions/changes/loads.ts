/** What rows of the history loaded: systems, and files as far as a form at the top names them. Pure. */
import path from 'node:path';
import type { FileLoad, SystemChange } from '../../contract/changes';
import type { EvaluatedForms } from '../../history/evaluation-statements';
import type { Dialect } from '../../source/dialect';
import { operatorOf } from '../../source/form-name';
import { read, type Source } from '../../source/reader';
import { stringRead } from '../../source/s-expression';
import { formsOf, isBranch } from '../../source/syntax-tree';

/** Operators whose first argument names the file. */
const LOADERS: ReadonlySet<string> = new Set(['load', 'load-file', 'ld']);

/** The last load of each file, the newest first; forms that failed are not in the rows. @param project relative names begin there */
export function fileLoads(rows: readonly EvaluatedForms[], dialect: Dialect, project: string): FileLoad[] {
  const loads = new Map<string, FileLoad>();
  for (const { id, client, startedAt, forms, kind } of rows)
    for (const file of kind === 'try' ? [] : forms.flatMap(({ code }) => filesNamed(read(code, dialect)))) {
      const loaded = path.resolve(project, file);
      loads.delete(loaded);
      loads.set(loaded, { path: loaded, evaluation: id, client, at: startedAt });
    }
  return [...loads.values()].reverse();
}

function filesNamed(source: Source): string[] {
  return formsOf(source.tree).flatMap((form) => {
    if (!isBranch(form) || !LOADERS.has(operatorOf(form, source)?.toLowerCase() ?? '')) return [];
    const [, file] = formsOf(form);
    return file?.kind === 'string' ? [stringRead(source.text.slice(file.start, file.end))] : [];
  });
}

/** The first load of each; the newest first. */
export function systemLoads(rows: readonly EvaluatedForms[]): SystemChange[] {
  const systems = new Map<string, SystemChange>();
  for (const { id, client, startedAt, loaded } of rows)
    for (const name of loaded)
      if (!systems.has(name)) systems.set(name, { name, evaluation: id, client, at: startedAt });
  return [...systems.values()].reverse();
}
