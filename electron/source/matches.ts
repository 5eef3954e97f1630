/** What a search finds in one text: definitions by name, uses of a symbol, any text; each with the form it stands in. */
import type { Dialect } from './dialect';
import { withoutPackage } from './form-name';
import { formTitle, sameName } from './locate';
import { Positions } from './positions';
import { read, type Source } from './reader';
import { signatureOf } from './signature';
import { isDefiner, type TopLevelForm, topLevelForms } from './top-level';
import { type Use, usesOf } from './uses';

export type SearchKind = 'definition' | 'reference' | 'caller' | 'text';

export interface Match {
  /** Of a definition its operator, else `reference` or `text`. */
  kind: string;
  /** A definition in one line, else the line that matches. */
  text: string;
  /** From 1. */
  line: number;
  /** The top-level form that it stands in, where it is not that form itself. */
  form?: string;
  /** Of uses: that form's first line and last one, and what `usesOf` tells of the package of each. */
  lines?: readonly [number, number];
  packages?: readonly (string | null)[];
}

/** Of a line that is shown. */
const LONGEST_LINE = 300;

/** @param dialect null for what is no Lisp, in which only texts are found */
export function searchText(
  text: string,
  dialect: Dialect | null,
  { kind, query }: { kind: SearchKind; query: string },
): Match[] {
  const sought = kind === 'text' || dialect === null ? query : withoutPackage(query, dialect);
  if (!includes(text, sought)) return [];
  const source = dialect && read(text, dialect);
  const forms = source ? topLevelForms(source) : [];
  if (kind === 'definition') return source ? definitions(query, source, forms) : [];
  const found =
    kind === 'text'
      ? occurrences(text, query).map((offset) => ({ offset, package: null }))
      : source
        ? usesOf(query, source, forms, kind === 'caller')
        : [];
  const formAround = innermost(forms);
  return lines(found, text, (places, positions) => {
    const around = formAround(places[0].offset);
    if (source === null || around === undefined) return { kind };
    const { start, end } = around.whole;
    const lines: Match['lines'] = [positions.line(start), positions.line(end)];
    const form = formTitle(around, source.dialect);
    const packages = places.map((place) => place.package);
    return { kind, form, ...(kind === 'text' ? {} : { lines, packages }) };
  });
}

function definitions(query: string, source: Source, forms: readonly TopLevelForm[]): Match[] {
  const positions = new Positions(source.text);
  return forms
    .filter(
      ({ type, name }) => isDefiner(type) && name !== null && sameName(name.name, query, source.dialect),
    )
    .map((form) => ({
      kind: form.type.toLowerCase(),
      text: signatureOf(form, source),
      line: positions.line(form.form.start),
    }));
}

function occurrences(text: string, query: string): number[] {
  const offsets: number[] = [];
  const [inText, wanted] = [folded(text), folded(query)];
  for (let at = inText.indexOf(wanted); at >= 0; at = inText.indexOf(wanted, at + wanted.length))
    offsets.push(at);
  return offsets;
}

/** The innermost of the forms at each of several offsets, which are asked for in the order of the text. */
export function innermost(forms: readonly TopLevelForm[]): (offset: number) => TopLevelForm | undefined {
  const around: TopLevelForm[] = [];
  let next = 0;
  return (offset) => {
    for (let form = forms[next]; form && form.whole.start <= offset; form = forms[next]) {
      around.push(form);
      next += 1;
    }
    // They lie within each other or apart: one that is over is over for all that follows.
    while ((around.at(-1)?.whole.end ?? Number.POSITIVE_INFINITY) <= offset) around.pop();
    return around.at(-1);
  };
}

/** Each line once, however often it matches. */
function lines(
  places: readonly Use[],
  text: string,
  facts: (onLine: readonly [Use, ...Use[]], positions: Positions) => Omit<Match, 'text' | 'line'>,
): Match[] {
  const positions = new Positions(text);
  return [...Map.groupBy(places, ({ offset }) => positions.line(offset))].map(([line, onLine]) => {
    const written = text.slice(positions.startOf(line), positions.startOf(line + 1) || undefined);
    // A group has what made it one.
    const told = facts(onLine as [Use, ...Use[]], positions);
    return { ...told, text: written.trim().slice(0, LONGEST_LINE), line };
  });
}

function includes(text: string, query: string): boolean {
  return folded(text).includes(folded(query));
}

/** Without regard to case; offsets stay those of the text. */
function folded(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
