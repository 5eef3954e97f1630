/** Which definitions are others now than they were at some moment. Pure. */
import type { DefinitionChange } from '../../contract/changes';
import { differenceText } from '../../source/edit';
import { isRemover, type MadeForm, type Present, statesOf } from './made-forms';
import type { FileDefinition } from './project-definitions';

/** A definition as it was, and as it is: null where there is none. */
export interface Redefinition {
  key: string;
  before: { code: string; package: string } | null;
  now: Present | null;
  /** What made it what it is: the form that is there now, or that took it away. */
  by: Pick<MadeForm, 'title' | 'name' | 'package' | 'evaluation' | 'client' | 'at'>;
}

/** What was evaluated up to the moment, and since. */
export interface Story {
  before: readonly MadeForm[];
  since: readonly MadeForm[];
}

/** Definitions that files of the project have, by their keys: as they were at the moment, and as they are now. */
export interface InFiles {
  before: ReadonlyMap<string, FileDefinition>;
  now: ReadonlyMap<string, FileDefinition>;
}

/** What has been made since, and is there, unless it is what was there before. */
export function redefined(
  story: Story,
  present: ReadonlyMap<string, Present>,
  { before: held }: Pick<InFiles, 'before'>,
): Redefinition[] {
  const earlier = statesOf(story.before);
  const newer = new Set(story.since);
  return [...present].flatMap(([key, now]) => {
    const before = earlier.get(key) ?? held.get(key) ?? null;
    if (!newer.has(now.form) || before?.code.trim() === now.form.code.trim()) return [];
    return [{ key, before, now, by: now.form }];
  });
}

/** What may have been taken away since: what was there and is not among `present`, and what forms say that they take away.
 * Whether it is gone only the image can tell. */
export function perhapsRemoved(
  { before, since }: Story,
  present: ReadonlyMap<string, Present>,
  { before: held }: Pick<InFiles, 'before'>,
): Redefinition[] {
  const earlier = statesOf(before);
  const removers = since.filter(isRemover);
  const gone = [...earlier].filter(([key]) => !present.has(key));
  const fromFiles = [...held].filter(([key]) => !present.has(key) && !earlier.has(key));
  return [...gone, ...fromFiles].flatMap(([key, form]): Redefinition[] => {
    const remover = removers.findLast((each) => each.name === form.name);
    const known = 'evaluation' in form ? form : null;
    const by = remover ?? known;
    if (!by) return [];
    const { title, name, package: here } = form;
    return [{ key, before: form, now: null, by: { ...by, title, name, package: here } }];
  });
}

/** What to say of one: `diff` shows it whole where one of the two texts is missing. */
export function changeOf(
  { key, before, now, by }: Redefinition,
  file: FileDefinition | undefined,
  { saved, writeAs, revertible }: Pick<DefinitionChange, 'saved' | 'writeAs' | 'revertible'>,
): DefinitionChange {
  const { title, name, package: here, evaluation, client, at } = by;
  return {
    ...{ key, title, name, package: here, evaluation, client, at },
    what: now === null ? 'removed' : before === null ? 'added' : 'redefined',
    diff: diffOf(title, before?.code ?? '', now?.form.code ?? ''),
    file: file ? { path: file.path, line: file.line } : null,
    saved: now && file && file.code.trim() === now.form.code.trim() ? true : saved,
    writeAs: now === null ? null : writeAs,
    revertible,
  };
}

/** A diff of more characters is not shown. */
const LONGEST_DIFF = 100_000;

/** null for texts that are too different, or too long, to compare. */
export function diffOf(title: string, before: string, after: string): string | null {
  const diff = differenceText(title, ended(before), ended(after));
  return diff !== null && diff.length <= LONGEST_DIFF ? diff : null;
}

/** That a last line has no end is of no interest. */
function ended(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}
