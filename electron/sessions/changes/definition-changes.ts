/** Compares definitions with an earlier moment, and creates the code that undoes a change. Pure. */

import type { DefinitionChange, DefinitionInFile } from '../../contract/changes';
import { code, functionName, OneForm, SymbolName } from '../../source/code';
import { type DefinedForm, definedForms, definitionNamespace } from '../../source/defined-forms';
import { type Dialect, dialectOfFile } from '../../source/dialect';
import { unifiedDiff } from '../../source/edit';
import type { FileBytes, GuardedFiles } from '../../source/files';
import { read } from '../../source/reader';
import { filesAt } from '../../source/search';
import { LARGEST_FILE, Positions, textOf } from '../../source/text';
import { type CreatedForm, type CurrentDefinition, isRemover, statesOf } from './created-forms';

/** A definition before and now; null where it does not exist. */
export interface Redefinition {
  key: string;
  before: { code: string; package: string } | null;
  now: CurrentDefinition | null;
  /** The form that made or removed it. */
  by: Pick<CreatedForm, 'title' | 'name' | 'package' | 'evaluation' | 'client' | 'at'>;
}

/** The definitions that were evaluated before the moment and since. */
export interface EvaluatedHistory {
  before: readonly CreatedForm[];
  since: readonly CreatedForm[];
}

/** Definitions in files of the project by key, at the moment and now. */
interface InFiles {
  before: ReadonlyMap<string, FileDefinition>;
  now: ReadonlyMap<string, FileDefinition>;
}

/** Returns definitions made since the moment whose text differs from the one before. */
export function redefined(
  story: EvaluatedHistory,
  present: ReadonlyMap<string, CurrentDefinition>,
  { before: inFile }: Pick<InFiles, 'before'>,
): Redefinition[] {
  const earlier = statesOf(story.before);
  const newer = new Set(story.since);
  return [...present].flatMap(([key, now]) => {
    const before = earlier.get(key) ?? inFile.get(key) ?? null;
    if (!newer.has(now.form) || before?.code.trim() === now.form.code.trim()) return [];
    return [{ key, before, now, by: now.form }];
  });
}

/**
 * Returns definitions that may have been removed since: those that are not in `present`, and those that forms
 * remove. Only the image can confirm it.
 */
export function removalCandidates(
  { before, since }: EvaluatedHistory,
  present: ReadonlyMap<string, CurrentDefinition>,
  { before: inFile }: Pick<InFiles, 'before'>,
): Redefinition[] {
  const earlier = statesOf(before);
  const removers = since.filter(isRemover);
  const removed = [...earlier].filter(([key]) => !present.has(key));
  const fromFiles = [...inFile].filter(([key]) => !present.has(key) && !earlier.has(key));
  return [...removed, ...fromFiles].flatMap(([key, form]): Redefinition[] => {
    const remover = removers.findLast((each) => each.name === form.name);
    const known = 'evaluation' in form ? form : null;
    const by = remover ?? known;
    if (!by) return [];
    const { title, name, package: here } = form;
    return [{ key, before: form, now: null, by: { ...by, title, name, package: here } }];
  });
}

/** Returns the change for the window. `diff` is the whole text if one side does not exist. */
export function changeOf(
  { key, before, now, by }: Redefinition,
  file: FileDefinition | undefined,
  { isNewer, ...facts }: Pick<DefinitionChange, 'saved' | 'writeAs' | 'revertible'> & { isNewer: boolean },
): DefinitionChange {
  const { title, name, package: here, evaluation, client, at } = by;
  return {
    ...{ key, title, name, package: here, evaluation, client, at },
    what: now === null ? 'removed' : before === null ? 'added' : 'redefined',
    diff: diffOf(title, before?.code ?? '', now?.form.code ?? ''),
    file: file
      ? {
          ...{ path: file.path, line: file.line, hash: file.hash },
          newer: isNewer && now ? { diff: diffOf(title, now.form.code, file.code) } : null,
        }
      : null,
    saved: now && file && isSaved(now, file) ? true : facts.saved,
    writeAs: now === null ? null : facts.writeAs,
    revertible: facts.revertible,
  };
}

/** Reports whether the file has the present definition. */
export function isSaved(now: CurrentDefinition, file: FileDefinition): boolean {
  return file.code.trim() === now.form.code.trim();
}

/** Maximum characters of a diff. */
const LONGEST_DIFF = 100_000;

/** Returns null if the texts are too different or too long to compare. */
export function diffOf(title: string, before: string, after: string): string | null {
  const diff = unifiedDiff(title, ended(before), ended(after));
  return diff !== null && diff.length <= LONGEST_DIFF ? diff : null;
}

/** Adds a missing end of line, which is no difference. */
function ended(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}

// Code that restores an earlier definition, in its package.

/** Operators that keep the current value of a variable. */
const KEEPS_VALUE: ReadonlySet<string> = new Set(['defvar', 'defonce']);

/**
 * Returns null if the change cannot be undone: a structure consists of more than its name, and compiled users
 * of a type contain it.
 */
export function undoCode({ before, now }: Redefinition, dialect: Dialect): string | null {
  const removing = now && removingCode(now.form, dialect);
  if (before === null) return removing;
  const keeps = now !== null && KEEPS_VALUE.has(now.form.type);
  return keeps && removing !== null ? `${removing}\n${before.code}` : before.code;
}

function removingCode(form: DefinedForm, dialect: Dialect): string | null {
  return dialect === 'clojure' ? unmapping(form) : unbinding(form);
}

/** Operators that define exactly one var. */
const VARS: ReadonlySet<string> = new Set(['def', 'defn', 'defn-', 'defmacro', 'defonce', 'defmulti']);

function unmapping({ type, name, package: here, specializers }: DefinedForm): string | null {
  const symbol = SymbolName.read(name, 'clojure', 'name');
  if (VARS.has(type))
    return String(code`(ns-unmap '${SymbolName.read(here, 'clojure', 'namespace')} '${symbol})`);
  const [dispatched] = specializers;
  if (type !== 'defmethod' || dispatched === undefined) return null;
  return String(code`(remove-method ${symbol} ${OneForm.read(dispatched, 'clojure', 'dispatch value')})`);
}

function unbinding({ type, name, qualifiers, specializers }: DefinedForm): string | null {
  if (definitionNamespace(type, 'common-lisp') === 'function')
    return String(code`(cl:fmakunbound '${functionName(name, 'name')})`);
  if (type === 'defvar' || type === 'defparameter')
    return String(code`(cl:makunbound '${SymbolName.read(name, 'common-lisp', 'name')})`);
  if (type === 'defclass' || type === 'define-condition')
    return String(code`(cl:setf (cl:find-class '${SymbolName.read(name, 'common-lisp', 'name')}) cl:nil)`);
  if (type !== 'defmethod') return null;
  const generic = functionName(name, 'name');
  const read = (text: string) => OneForm.read(text, 'common-lisp', 'specializer');
  const classes = specializers.map((each) =>
    each.startsWith('(')
      ? code`(cl:list 'cl:eql ${read(each).elements('specializer').slice(1)})`
      : code`(cl:find-class '${read(each)})`,
  );
  const method = code`(cl:find-method #'${generic} '(${qualifiers.map(read)}) (cl:list ${classes}))`;
  return String(code`(cl:remove-method #'${generic} ${method})`);
}

// Definitions in files of the project.

/** A definition in a file. The path is the real one; lines count from 1. */
export interface FileDefinition {
  path: string;
  line: number;
  /** Hash of the file. */
  hash: string;
  title: string;
  name: string;
  package: string;
  code: string;
}

interface Wanted {
  project: string;
  dialect: Dialect;
  /** Names without packages. */
  names: ReadonlySet<string>;
  signal: AbortSignal;
}

/** Definitions by key; the first one of a key counts. */
export type DefinitionsByKey = Map<string, FileDefinition>;

export async function projectDefinitions(files: GuardedFiles, wanted: Wanted): Promise<DefinitionsByKey> {
  const found: DefinitionsByKey = new Map();
  const { project, dialect, signal } = wanted;
  const place = {
    ...{ path: '.', signal, caller: { client: '', tool: '' } },
    isWanted: (name: string) => dialectOfFile(name) === dialect,
  };
  for await (const file of filesAt(files, project, place, [])) addDefinitions(found, file, wanted);
  return found;
}

export function addDefinitions(
  found: DefinitionsByKey,
  { path, bytes, hash }: FileBytes,
  { dialect, names }: Pick<Wanted, 'dialect' | 'names'>,
): void {
  const text = sourceIn(bytes);
  if (text === null || !mentions(text, names)) return;
  const positions = new Positions(text);
  for (const form of definedForms(read(text, dialect))) {
    const { key, title, name, package: here, code, start } = form;
    if (form.isDefiner && names.has(name) && !found.has(key))
      found.set(key, { path, hash, line: positions.line(start), title, name, package: here, code });
  }
}

/** Returns all definitions of a file in order; none for binary or large files. */
export function definitionsIn(bytes: Uint8Array, dialect: Dialect): DefinitionInFile[] {
  const text = sourceIn(bytes);
  if (text === null) return [];
  const positions = new Positions(text);
  return definedForms(read(text, dialect))
    .filter(({ isDefiner }) => isDefiner)
    .map(({ title, name, package: here, start }) => ({
      ...{ title, name, package: here },
      line: positions.line(start),
    }));
}

/** Returns null for binary or large files. */
function sourceIn(bytes: Uint8Array): string | null {
  return bytes.length > LARGEST_FILE ? null : (textOf(bytes)?.text ?? null);
}

/** Reports whether the text mentions a name. Parsing is slow, and most files mention none. */
function mentions(text: string, names: ReadonlySet<string>): boolean {
  const small = text.toLowerCase();
  return [...names].some((name) => small.includes((name.split(/[\s()]+/).at(-2) ?? name).toLowerCase()));
}
