/**
 * Writes definitions of a session into an existing source file. A definition replaces the one in the file;
 * new ones are inserted before those that were evaluated after them, or at the end. Pure.
 */

import { HarborError, similarNames } from '../../contract/errors';
import { mention, ours } from '../../contract/mention';

import { definitionNamespace, methodKey, packagesOf } from '../../source/defined-forms';
import { diagnosisOf, diagnosisText } from '../../source/diagnosis';
import { lineEnd, withLineEnds } from '../../source/edit';
import { formTitle, sameName } from '../../source/locate';
import { namespaceEntered } from '../../source/names/namespaces';
import { read, type Source } from '../../source/reader';
import { Positions } from '../../source/text';
import { isDefiner, type TopLevelForm, topLevelForms } from '../../source/top-level-forms';
import { type FileForm, formsWithPackages, linesOf, packageDesignator } from './recorded-forms';

export interface Merged {
  text: string;
  /** The titles of replaced forms and of new ones. */
  replaced: string[];
  added: string[];
}

/** A form of the session, and the form of the file that it replaces. */
interface Placed {
  form: FileForm;
  title: string;
  there: OwnForm | null;
}

/** A definition of the file, and the package or namespace in which it is read. */
type OwnForm = TopLevelForm & { package: string };

/**
 * @param isKnown whether the session has seen a form of the file, as written, that its `own` form would replace
 * @throws HarborError `bad_arguments` if the file's delimiters do not match or it has a definition more than
 *   once; `hash_mismatch` if a definition to replace is not known
 */
export function mergedDefinitions(
  source: Source,
  forms: readonly FileForm[],
  isKnown: (code: string, own: string) => boolean = () => true,
): Merged {
  const diagnosis = diagnosisOf(source);
  if (diagnosis)
    throw new HarborError('bad_arguments', `The file cannot be parsed. ${diagnosisText(diagnosis)}`);
  const packageAt = packagesOf(source);
  const own = topLevelForms(source).flatMap((form) =>
    isDefiner(form.type) ? [{ ...form, package: packageAt(form.form.start) }] : [],
  );
  const namespaces = namespacesOf(source);
  refuseForeign(forms, namespaces);
  const placed = forms.map((form) => placedIn(source, own, underReadtableOf(source, form)));
  refuseNewer(placed, source, isKnown);
  const [insertions, last] = insertionsOf(placed);
  const added = placed.filter(({ there }) => there === null);
  return {
    text: withEnd(withPlaces(placed, insertions, source), last, packageAt(source.text.length), source),
    replaced: placed.filter(({ there }) => there !== null).map(({ title }) => title),
    added: added.map(({ title }) => title),
  };
}

/** @throws HarborError `hash_mismatch` for definitions of the file that were changed since the session saw it */
function refuseNewer(
  placed: readonly Placed[],
  { text }: Source,
  isKnown: (code: string, own: string) => boolean,
): void {
  const newer = placed.flatMap(({ form, title, there }) => {
    const code = there && text.slice(there.form.start, there.form.end);
    return code === null || code.trim() === form.code.trim() || isKnown(code, form.code) ? [] : [title];
  });
  if (newer.length === 0) return;
  const has = newer.length === 1 ? 'was' : 'were';
  throw new HarborError(
    'hash_mismatch',
    `The file is newer: ${newer.join(', ')} ${has} changed there by somebody else since this session loaded or evaluated it. Load the file first; to write over it, read it and pass its hash as expected_hash.`,
  );
}

/** Returns the namespaces of a Clojure file; none for Common Lisp, where a file may enter any package. */
function namespacesOf(source: Source): ReadonlySet<string> {
  const forms = source.dialect === 'clojure' ? topLevelForms(source) : [];
  return new Set(forms.flatMap(({ form }) => namespaceEntered(form, source) ?? []));
}

/** @throws HarborError `bad_arguments` for definitions of other namespaces than the file's */
function refuseForeign(forms: readonly FileForm[], namespaces: ReadonlySet<string>): void {
  const [own] = namespaces;
  const foreign = forms.filter((form) => !namespaces.has(form.package));
  const [first] = foreign;
  if (own === undefined || first === undefined) return;
  const codes = foreign.map(({ code }) => code.slice(0, 60).replaceAll(/\s+/g, ' '));
  throw new HarborError(
    'bad_arguments',
    `The file has the namespace ${own}, and these were defined in ${first.package}: ${similarNames('', codes)}. Name another file for them, or define them in ${own} first (eval with package: ${own}).`,
  );
}

/** A file that enters a readtable needs no lines for that one, and goes on with it after another one. */
function underReadtableOf({ text, dialect }: Source, form: FileForm): FileForm {
  const entering = dialect === 'clojure' ? null : /\(\s*(?:[\w.-]+:)?in-readtable\s[^()]*\)/i.exec(text)?.[0];
  const { after = [], before = [] } = form;
  if (!entering || after.length === 0) return form;
  const nameOf = (line = '') => /(?<![^\s:])([^\s:]+)\s*\)$/.exec(line)?.[1]?.toLowerCase();
  const isSame = nameOf(before.at(-1)) === nameOf(entering);
  return { ...form, before: isSame ? before.slice(0, -1) : before, after: isSame ? [] : [entering] };
}

function placedIn(source: Source, own: readonly OwnForm[], form: FileForm): Placed {
  const { dialect } = source;
  const [made] = topLevelForms(read(form.code, dialect));
  const title = made ? formTitle(made, dialect) : form.code.slice(0, 40);
  if (!made?.name || !isDefiner(made.type)) return { form, title, there: null };
  const same = own.filter((each) => isSame(each, made, source) && isSamePackage(each.package, form.package));
  const [there = null, ...others] = same;
  if (others.length === 0) return { form, title, there };
  const positions = new Positions(source.text);
  const lines = same.map((each) => positions.line(each.form.start)).join(', ');
  throw new HarborError(
    'bad_arguments',
    `The file has ${title} more than once (lines ${lines}), so it is unclear which one to replace.`,
    { mentions: [mention`(${ours('edit_form')} changes one of them.)`] },
  );
}

/** Returns the forms to insert before forms of the file, and those for its end. */
function insertionsOf(placed: readonly Placed[]): [ReadonlyMap<OwnForm, FileForm[]>, FileForm[]] {
  const before = new Map<OwnForm, FileForm[]>();
  const last: FileForm[] = [];
  for (const [index, { form, there }] of placed.entries()) {
    if (there) continue;
    const after = placed.slice(index + 1).flatMap((each) => each.there ?? []);
    const near = after.filter((each) => each.depth === 0 && isSamePackage(each.package, form.package));
    const [anchor] = near.sort((one, other) => one.whole.start - other.whole.start);
    if (anchor) before.set(anchor, [...(before.get(anchor) ?? []), form]);
    else last.push(form);
  }
  return [before, last];
}

function withPlaces(
  placed: readonly Placed[],
  insertions: ReadonlyMap<OwnForm, FileForm[]>,
  source: Source,
): string {
  const eol = lineEnd(source.text);
  const changes = placed.flatMap(({ form, there }) => {
    if (!there) return [];
    const before = (insertions.get(there) ?? [])
      .map((each) => `${linesOf(each).join('\n\n').trim()}${eol}${eol}`)
      .join('');
    const { start, end } = there.form;
    const put = { start, end, text: withLineEnds(linesOf(form).join('\n\n').trim(), source.text) };
    const at = there.whole.start;
    return before === '' ? [put] : [{ start: at, end: at, text: withLineEnds(before, source.text) }, put];
  });
  let [text, at] = ['', 0];
  for (const change of changes.sort((one, other) => one.start - other.start || one.end - other.end)) {
    text += source.text.slice(at, change.start) + change.text;
    at = change.end;
  }
  return text + source.text.slice(at);
}

/** @param here the package at the end of the file */
function withEnd(text: string, last: readonly FileForm[], here: string, source: Source): string {
  if (last.length === 0) return text;
  const trimmed = last.map((form) => ({ ...form, code: form.code.trim() }));
  const forms =
    source.dialect === 'clojure' ? withNamespaces(trimmed, here, source) : formsWithPackages(trimmed, here);
  const written = text.trimEnd();
  const added = withLineEnds(`${forms.join('\n\n')}\n`, source.text);
  const eol = lineEnd(source.text);
  return written === '' ? added : `${written}${eol}${eol}${added}`;
}

function withNamespaces(forms: readonly FileForm[], before: string, source: Source): string[] {
  const made = new Set(namespacesOf(source));
  let here = made.size > 0 ? before : '';
  return forms.flatMap(({ package: name, code }) => {
    const entering = name === here ? [] : [made.has(name) ? `(in-ns '${name})` : `(ns ${name})`];
    made.add(name);
    here = name;
    return [...entering, code];
  });
}

function isSamePackage(one: string, other: string): boolean {
  return packageDesignator(one) === packageDesignator(other);
}

/** Reports whether both forms define the same thing. */
function isSame(one: TopLevelForm, other: TopLevelForm, { dialect }: Source): boolean {
  if (!one.name || !other.name || !sameName(one.name.name, other.name.name, dialect)) return false;
  return (
    definitionNamespace(one.type, dialect) === definitionNamespace(other.type, dialect) &&
    methodKey(one) === methodKey(other)
  );
}
