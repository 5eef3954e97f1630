/** What `find` answers, as data and as text: a line for each place, with what a model needs to go there. */
import { z } from 'zod';
import { cut } from '../../history/cut-text';
import { closingLines } from '../closing-lines';
import { PlaceResult, placeText } from '../source-places';
import type { Told } from '../told';

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
  notes: z.array(z.string()),
});
export type FindResult = z.infer<typeof FindResult>;

/** Characters of a line of source, and of the documentation of a name in a list. */
const LINE_CHARACTERS = 80;
const SUMMARY_CHARACTERS = 80;
const FORMULA_CHARACTERS = 400;

export function findingsText({ session, results, total, notes }: FindResult, told: Told): string {
  const more = total - results.length;
  const facts = [
    ...(more > 0 ? [`${more} more of ${total}: raise limit or narrow the query`] : []),
    ...(session === undefined ? [] : told.sessionNews(session)),
  ];
  return [
    ...(total === 0 ? ['Nothing found.'] : results.map(findingText)),
    ...closingLines(facts, session === undefined ? notes : told.newNotes(session, notes)),
  ].join('\n');
}

function findingText(finding: FindingResult): string {
  if (finding.formula !== undefined) return theoremText(finding, finding.formula);
  return finding.form === undefined ? nameText(finding) : lineText(finding);
}

/** `cart.lisp:7 in defun taxed: (* (1+ *tax*) (price each count))`; the form is not named by its own first line. */
function lineText({ kind, text, source, form = '' }: FindingResult): string {
  const isItself = text.startsWith('(') && text.slice(1).toLowerCase().startsWith(form.toLowerCase());
  return [
    ...(source ? [placeText(source)] : []),
    ...(PLAIN_USES.has(kind) ? [] : [kind]),
    ...(isItself ? [] : [`in ${form}:`]),
    cut(text, LINE_CHARACTERS),
  ].join(' ');
}

/** What the line shows anyway. */
const PLAIN_USES: ReadonlySet<string> = new Set([
  'text',
  'reference',
  'references',
  'caller',
  'calls',
  'macroexpands',
]);

/** The book says where it stands. */
function theoremText(finding: FindingResult, formula: string): string {
  const { text, include, alike, uncertified, builtIn } = finding;
  return [
    `${oneLine(text)} ${cut(oneLine(formula), FORMULA_CHARACTERS)}`,
    ...(include === undefined ? [] : [oneLine(include)]),
    ...(alike ? [`${alike} more say the same`] : []),
    ...(uncertified ? ['not certified'] : []),
    ...(builtIn ? ['built in'] : []),
  ].join(' · ');
}

/** Names may have line ends in them. */
function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ');
}

function nameText(finding: FindingResult): string {
  const { kind, text, arglist, value, documentation, source, command, builtIn } = finding;
  const named = text.startsWith(`(${kind} `) ? text : `${kind} ${text}`;
  const name = arglist === undefined ? named : `${named} ${arglist}`;
  return [
    source ? `${placeText(source)} ${name}` : name,
    ...(value === undefined ? [] : [`= ${value}`]),
    ...(command === undefined ? [] : [`command ${command}`]),
    ...(builtIn ? ['built in'] : []),
    ...(documentation === undefined ? [] : [cut(documentation.replaceAll(/\s+/g, ' '), SUMMARY_CHARACTERS)]),
  ].join(' · ');
}
