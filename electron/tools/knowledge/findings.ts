/** Results of `find` as data and as text: a line for each place. */

import { z } from 'zod';
import { HarborError } from '../../contract/errors';
import type { Findings } from '../../contract/knowledge';
import { NoteText } from '../../contract/note';
import { visibleForm, withTexts } from '../../contract/visible-text';
import { cut, withoutMiddle } from '../../history/long-text';
import type { Dialect } from '../../source/dialect';
import type { GuardedFiles } from '../../source/files';
import type { SearchKind } from '../../source/matches';
import { type Found, search } from '../../source/search';
import type { ConversationState } from '../conversation-state';
import { fileCaller } from '../files/text-files';
import { closingLines } from '../notes';
import { inOneLine } from '../prover/quoted';
import { PlaceResult, placeText, shortPath } from '../source-places';
import type { Caller } from '../tool';

export const FindingResult = z.object({
  kind: z.string(),
  text: z.string(),
  arglist: z.string().optional(),
  value: z.string().optional(),
  documentation: z.string().optional(),
  source: PlaceResult.optional(),
  form: z.string().optional(),
  command: z.int().optional(),
  builtIn: z.boolean().optional(),
  formula: z.string().optional(),
  include: z.string().optional(),
  alike: z.int().optional(),
  uncertified: z.boolean().optional(),
});
export type FindingResult = z.infer<typeof FindingResult>;

export const FindResult = z.object({
  session: z.string().optional(),
  results: z.array(FindingResult),
  total: z.int(),
  notes: z.array(NoteText),
});
export type FindResult = z.input<typeof FindResult>;

/** Maximum characters of a line of source, and of the documentation of a listed name. */
const LINE_CHARACTERS = 80;
const SUMMARY_CHARACTERS = 80;
const FORMULA_CHARACTERS = 400;

export function findingsText(
  { session, results, total }: FindResult,
  conversation: ConversationState,
): string {
  const more = total - results.length;
  const facts = [
    ...(more > 0 ? [`${more} more of ${total}: raise limit or narrow the query`] : []),
    ...(session === undefined ? [] : conversation.sessionFacts(session)),
  ];
  return [
    ...(total === 0 ? ['Nothing found.'] : withTexts(results, inLine).map(findingText)),
    ...closingLines(facts),
  ].join('\n');
}

/** Returns a text of a finding on one line: line ends within names are shown, others are spaces. */
function inLine(text: string): string {
  return inOneLine(
    visibleForm(text).replaceAll(/(?<!\s)\s+/g, (space) => (space.includes('\n') ? ' ' : space)),
  );
}

function findingText(finding: FindingResult): string {
  if (finding.formula !== undefined) return theoremText(finding, finding.formula);
  return finding.form === undefined ? nameText(finding) : lineText(finding);
}

/**
 * Returns `cart.lisp:7 in defun taxed: (* (1+ *tax*) (price each count))`. The form is omitted if the line is
 * its first.
 */
function lineText({ kind, text, source, form = '' }: FindingResult): string {
  const isItself = text.startsWith('(') && text.slice(1).toLowerCase().startsWith(form.toLowerCase());
  return [
    ...(source ? [placeText(source)] : []),
    ...(PLAIN_USES.has(kind) ? [] : [kind]),
    ...(isItself ? [] : [`in ${form}:`]),
    cut(text, LINE_CHARACTERS),
  ].join(' ');
}

/** Kinds of uses that the line itself shows. */
const PLAIN_USES: ReadonlySet<string> = new Set([
  'text',
  'reference',
  'references',
  'caller',
  'calls',
  'macroexpands',
]);

/** Returns a line with the book: `include` names it, or else the place. */
function theoremText(finding: FindingResult, formula: string): string {
  const { kind, text, include, source, alike, uncertified, builtIn } = finding;
  return [
    `${text} ${withoutMiddle(formula.replaceAll(/\s+/g, ' '), FORMULA_CHARACTERS)}`,
    // `theorem, proof skipped` and `axiom, not proved`
    ...(kind === 'theorem' ? [] : [kind.replace(/^theorem, /, '')]),
    ...(include === undefined ? (source ? [placeText(source)] : []) : [include]),
    ...(alike ? [`${alike} more with the same formula`] : []),
    ...(uncertified ? ['not certified'] : []),
    ...(builtIn ? ['built in'] : []),
  ].join(' · ');
}

function nameText(finding: FindingResult): string {
  const { kind, text, arglist, value, documentation, source, command, builtIn, include } = finding;
  const named = text.startsWith(`(${kind} `) ? text : `${kind} ${text}`;
  const name = arglist === undefined ? named : `${named} ${arglist}`;
  return [
    source ? `${placeText(source)} ${name}` : name,
    ...(value === undefined ? [] : [`= ${value}`]),
    ...(command === undefined ? [] : [`command ${command}`]),
    ...(builtIn ? ['built in'] : []),
    ...(include === undefined ? [] : [include]),
    ...(documentation === undefined ? [] : [cut(documentation.replaceAll(/\s+/g, ' '), SUMMARY_CHARACTERS)]),
  ].join(' · ');
}

// Merges the uses of a name found by the image and in files. A use that both found is listed once.

/** Uses that an image knows, with places as results show them. */
export interface ImageUses extends Omit<Findings, 'results' | 'files'> {
  results: FindingResult[];
  /** Files in which the image knows all uses, by the paths used in results. */
  files: ReadonlySet<string>;
}

/**
 * Returns the lines of files in order, with the kind of use that the image reports, then uses in other
 * places.
 * @param unknownPackages packages in which the name is another symbol
 */
export function usesTogether(
  image: ImageUses,
  inFiles: readonly FoundInFile[],
  unknownPackages: ReadonlySet<string>,
): FindingResult[] {
  const mayRefer = (where: string | null) => where === null || !unknownPackages.has(where);
  const lines = inFiles.filter(({ packages = [null] }) => packages.some(mayRefer));
  const known = new Set<FindingResult>();
  const together = lines.flatMap((line) => {
    const uses = image.results.filter((use) => isAt(use, line));
    for (const use of uses) known.add(use);
    if (uses.length === 0 && image.files.has(line.source.path)) return [];
    return [{ ...withoutPlaces(line), kind: uses[0]?.kind ?? line.kind }];
  });
  const others = image.results.filter((use) => !known.has(use));
  return [...together, ...once(others)];
}

/**
 * Reports whether both are in the same top-level form. Compilers report a use in a macro's arguments at the
 * place of the macro.
 */
function isAt({ text, source }: FindingResult, { source: place, lines, form }: FoundInFile): boolean {
  if (source?.path === undefined || source.path !== place.path) return false;
  if (source.line === undefined) return form?.toLowerCase().split(' ')[1] === text.toLowerCase();
  return lines !== undefined && lines[0] <= source.line && source.line <= lines[1];
}

/** Returns the use as results show it. */
export function withoutPlaces({ lines: _, packages: __, ...line }: FoundInFile): FindingResult {
  return line;
}

/** Merges several uses on one line of a function. */
function once(uses: readonly FindingResult[]): FindingResult[] {
  return [...new Map(uses.map((use) => [JSON.stringify(use), use])).values()];
}

// Searches the files of the project, or a given file or folder, without an image.

const KINDS: readonly string[] = ['definition', 'reference', 'caller', 'text'] satisfies SearchKind[];

interface FileSearch {
  kind: string;
  query: string;
  path?: string | undefined;
  limit?: number | undefined;
  /** Only files of this dialect. */
  dialect?: Dialect;
}

/** A match as results show it, with further members of `Match`. */
type FoundInFile = ReturnType<typeof shownMatch>;

/** @throws HarborError `bad_arguments` for kinds that only an image answers, and as `GuardedFiles.read` */
export async function findInFiles(
  { query, kind, path = '.', limit = 50, dialect }: FileSearch,
  caller: Caller,
  files: GuardedFiles,
) {
  if (!isInFiles(kind))
    throw new HarborError('bad_arguments', `Files are searched for ${KINDS.join(', ')}, not ${kind}.`);
  if (query.trim() === '') throw new HarborError('bad_arguments', 'query is empty.');
  const { project, signal } = caller;
  const only = dialect === undefined ? {} : { dialect };
  const request = { kind, query, path, limit, signal, caller: fileCaller(caller), ...only };
  const { matches, total, notes } = await search(files, project, request);
  return { results: matches.map((match) => shownMatch(match, project)), total, notes };
}

function shownMatch({ file, line, ...match }: Found, project: string) {
  return { ...match, source: { path: shortPath(file, project), line } };
}

/** Reports whether files can answer the kind. */
export function isInFiles(kind: string): kind is SearchKind {
  return KINDS.includes(kind);
}
