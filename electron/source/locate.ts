/** Finds a top-level form by type and name. If none or several match, the error lists the existing forms. */
import { HarborError } from '../contract/errors';
import type { Dialect } from './dialect';
import { EnteredPackages, lispToken } from './names/package-forms';
import { read, type Source } from './reader';
import { formsOf } from './syntax-tree';
import { Positions } from './text';
import {
  behindPrefixes,
  type FormName,
  isDefiner,
  isList,
  methodOf,
  plainName,
  type TopLevelForm,
  topLevelForms,
  withoutPackage,
} from './top-level-forms';

export interface FormQuery {
  /** The operator, such as `defun`; absent: any defining operator. */
  type?: string;
  /** `area`, `(setf area)`, a method as `area :around (circle t)`, and with `[2]` the second of several. */
  name: string;
  /** Index of the first of several; absent: 1. */
  first?: number;
}

/** A parsed name. `specializers` null: any. */
interface Wanted extends FormName {
  /** From 0; null: the only one. */
  index: number | null;
}

/** Maximum number of forms in an error. */
const MOST_LISTED = 20;

/** @throws HarborError `bad_arguments`, listing the existing forms */
export function locate(source: Source, query: FormQuery): TopLevelForm {
  const wanted = wantedOf(query, source.dialect);
  const forms = topLevelForms(source);
  const { type: requested, first = 1 } = query;
  const ofType = forms.filter(({ type }) =>
    requested === undefined ? isDefiner(type) : sameName(type, requested, source.dialect),
  );
  const named = ofType.filter(({ name }) => name !== null && isWanted(name, wanted, source.dialect));
  const live = liveOf(named, forms, wanted, source);
  const found = inPackageOf(wanted.name, live, EnteredPackages.of(forms, source));
  const chosen = wanted.index === null ? found : found.slice(wanted.index, wanted.index + 1);
  const [form, ...others] = chosen;
  if (form !== undefined && others.length === 0) return form;
  const list = (candidates: readonly TopLevelForm[]) => listed(candidates, source, first);
  const title = requested === undefined ? query.name : `${requested} ${query.name}`;
  if (found.length > 0) {
    const problem =
      others.length > 0 ? `There are ${found.length} forms ${title}` : `There is no form ${title}`;
    throw refusal(`${problem}. Name one of these:`, list(found));
  }
  const near = forms.filter(({ name }) => name !== null && sameName(name.name, wanted.name, source.dialect));
  const instead = [near, ofType, forms.filter(({ type }) => isDefiner(type))].find(
    ({ length }) => length > 0,
  );
  if (instead === undefined)
    throw refusal(
      `There is no form ${title} at top level, nor any other definition. Write the whole file.`,
      [],
    );
  throw refusal(`There is no form ${title} at top level. There are:`, list(instead));
}

/**
 * Returns the forms that are evaluated, if the caller did not count among all. A form inside `(comment …)` is not
 * meant while another one defines the name, under any operator.
 */
function liveOf(
  named: TopLevelForm[],
  forms: readonly TopLevelForm[],
  { name, index }: Wanted,
  { dialect }: Source,
): TopLevelForm[] {
  const live = named.filter(({ inComment }) => !inComment);
  const isElsewhere = forms.some(
    (form) => !form.inComment && isDefiner(form.type) && form.name && sameName(form.name.name, name, dialect),
  );
  return (live.length > 0 || isElsewhere) && index === null ? live : named;
}

/**
 * Returns the forms in the package of a qualified name, according to the `in-package` forms before them; else
 * all.
 */
function inPackageOf(name: string, found: TopLevelForm[], entered: EnteredPackages): TopLevelForm[] {
  const requested = lispToken(name)?.package ?? null;
  if (requested === null || found.length < 2) return found;
  // The caller may omit the bars of a name in lower case.
  const inside = found.filter(
    ({ form }) => entered.at(form.start)?.toUpperCase() === requested.toUpperCase(),
  );
  return inside.length > 0 ? inside : found;
}

function refusal(problem: string, lines: readonly string[]): HarborError {
  return new HarborError('bad_arguments', [problem, ...lines].join('\n'));
}

/** @throws HarborError `bad_arguments` */
function wantedOf({ name: text, first: least = 1 }: FormQuery, dialect: Dialect): Wanted {
  const [, before = '', number] = /^([\s\S]*?)(?:\[(\d+)\])?$/.exec(text.trim()) ?? [];
  const source = read(before, dialect);
  const [first, ...rest] = formsOf(source.tree).map(behindPrefixes);
  if (source.problem !== null || first === undefined)
    throw new HarborError(
      'bad_arguments',
      `${text} is not the name of a form. Write it as in the file: area, (setf area), for a method area :around (circle t), and area[${least + 1}] for the second of several.`,
    );
  const name = plainName(before.slice(first.start, first.end), dialect);
  const method = methodOf(rest, source);
  const written = rest.find(isList);
  const index = number === undefined ? null : Number(number) - least;
  // A list of only symbols is a list of specializers; with a parameter in parentheses it is a lambda list.
  const bare = written && formsOf(written).every((each) => !isList(each) || isEql(before, each.start));
  const specializers =
    bare && dialect === 'common-lisp'
      ? formsOf(written).map(({ start, end }) => plainName(before.slice(start, end), dialect))
      : method.specializers;
  return { name, index, qualifiers: method.qualifiers, specializers: rest.length > 0 ? specializers : null };
}

function isEql(text: string, at: number): boolean {
  return /^\(\s*eql\s/i.test(text.slice(at, at + 20));
}

function isWanted(found: FormName, wanted: Wanted, dialect: Dialect): boolean {
  if (!sameName(found.name, wanted.name, dialect)) return false;
  const { qualifiers, specializers } = wanted;
  if (qualifiers.length > 0 || specializers !== null)
    if (qualifiers.join(' ') !== found.qualifiers.join(' ')) return false;
  if (specializers === null) return true;
  const own = found.specializers ?? [];
  return (
    own.length >= specializers.length &&
    own.every((each, index) => sameName(each, specializers[index] ?? 't', dialect))
  );
}

/** Compares two names. Packages are compared only if both names have one, with any number of colons. */
export function sameName(one: string, other: string, dialect: Dialect): boolean {
  const [a, b] = [plainName(one, dialect), plainName(other, dialect)];
  if (a === b || (dialect === 'common-lisp' && a.replace('::', ':') === b.replace('::', ':'))) return true;
  const [bareA, bareB] = [withoutPackage(a, dialect), withoutPackage(b, dialect)];
  return bareA === bareB && (bareA === a || bareB === b);
}

/**
 * Lists forms by the names that callers can use, with their lines.
 * @param first index of the first form with a title
 */
function listed(forms: readonly TopLevelForm[], source: Source, first: number): string[] {
  const positions = new Positions(source.text);
  const titles = forms.map((form) => formTitle(form, source.dialect));
  const lines = forms.slice(0, MOST_LISTED).map((form, index) => {
    const title = titles[index] ?? '';
    const same = titles.filter((each) => each === title).length > 1;
    const place = first + titles.slice(0, index).filter((each) => each === title).length;
    return `  ${title}${same ? `[${place}]` : ''} · line ${positions.line(form.form.start)}`;
  });
  const more = forms.length - lines.length;
  return more > 0 ? [...lines, `  and ${more} more`] : lines;
}

/** Returns type and name, and which method it is. */
export function formTitle({ type, name }: TopLevelForm, dialect: Dialect): string {
  if (name === null) return type || 'a form without a name';
  const specializers = name.specializers?.join(' ') ?? '';
  const which = name.specializers !== null && dialect === 'common-lisp' ? `(${specializers})` : specializers;
  return [type, name.name, ...name.qualifiers, which].join(' ').trimEnd();
}
