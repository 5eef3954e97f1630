/**
 * The final check of a prover: a book of the project, or the session exported as a book, is rebuilt from
 * sources in a fresh process.
 */

import path from 'node:path';
import { HarborError } from '../../contract/errors';
import type { FinalCheck } from '../../contract/proof';
import { visibleForm, visibleLine } from '../../contract/visible-text';
import type { FinalCheckRequest } from '../../images/world';
import { realPath } from '../../sandbox/paths';
import type { Session } from '../session/session';
import type { EvaluationRequest } from '../session/session-journal';
import { sessionBook } from './book';

/** The name of the session's book, which is no file in the project. */
const SESSION_BOOK = 'lisp-harbor-session';

interface CheckSelection {
  /** The name of a theorem; absent: all theorems. */
  claim?: string | undefined;
  /** The absolute path of a book in the project; absent: the session. */
  file?: string | undefined;
  /** Names of the allowed trust tags. */
  trustTags?: readonly string[] | undefined;
}

/**
 * Prepares a final check.
 * @throws HarborError `not_supported` if the engine has no such check, `bad_arguments`, `unknown_symbol`,
 *   `busy`
 */
export async function finalCheckOf(
  session: Session,
  { claim, file, trustTags = [] }: CheckSelection,
): Promise<Pick<EvaluationRequest, 'code' | 'finalCheck'>> {
  const tags = trustTags.map(checkedTag);
  const requested =
    file === undefined ? await ofSession(session, claim) : { book: bookIn(file, session), claim, notes: [] };
  const checks = { ...requested, claim: requested.claim ?? null, trustTags: tags };
  const about = claim === undefined ? '' : ` of the theorem ${claim},`;
  const from = file === undefined ? 'the session' : `the book ${checks.book}`;
  return { code: `; final check${about} rebuilt from ${from}`, finalCheck: checks };
}

/** The claim is quoted as the session's world has it. */
async function ofSession(
  session: Session,
  claim: string | undefined,
): Promise<Omit<FinalCheckRequest, 'claim' | 'trustTags'> & { claim?: string }> {
  const world = session.ability('world');
  const known = await world.statements(claim ?? null);
  const { text, portcullis, omitted } = await sessionBook(session, { movable: true });
  const texts = new Map([[`${SESSION_BOOK}.lisp`, text]]);
  if (portcullis !== null) texts.set(`${SESSION_BOOK}.acl2`, portcullis);
  return {
    book: SESSION_BOOK,
    texts,
    session: known,
    ...(claim === undefined ? {} : { claim: known.statements[0]?.name ?? claim }),
    notes: omitted.map((form) => `Omitted, because a book cannot contain it: ${form}`),
  };
}

function bookIn(file: string, session: Session): string {
  session.ability('world');
  return path.relative(realPath(session.identity.project), file).replace(/\.lisp$/, '');
}

/** @throws HarborError `bad_arguments` */
function checkedTag(written: string): string {
  const name = written.replace(/^:/, '').toUpperCase();
  if (/^[A-Z0-9!$%&*+\-./<=>?@^_~]{1,100}$/.test(name)) return name;
  throw new HarborError(
    'bad_arguments',
    `${written} is not the name of a trust tag. An example is :FAST-CAT.`,
  );
}

/**
 * Returns the report as text that a reader can repeat. Sources have a mark on each line, so that they
 * cannot be mistaken for the report itself. Pure.
 */
export function finalCheckText(report: FinalCheck): string {
  const { theorems, theoremCount, functions, functionCount, files, steps, notes } = report;
  return [
    section(verdictOf(report), [factsOf(report)]),
    section(`Theorems${counted(theorems.length, theoremCount)}`, theoremLines(report)),
    section(
      `Functions in the statement, except those of ACL2${counted(functions.length, functionCount)}`,
      functionLines(report),
    ),
    section('Notes', notes.map(visibleLine)),
    section(
      'Sources with their SHA-256',
      files.map(({ file, sha256, role }) => `${sha256}  ${role.padEnd(10)}  ${visibleLine(file)}`),
    ),
    section('To repeat it', [howToRepeat(report), ...steps.map((step) => `    ${visibleLine(step)}`)]),
    ...files.map(({ file, text }) =>
      text === undefined ? '' : section(`Text of ${visibleLine(file)}, each line after a mark`, quoted(text)),
    ),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function howToRepeat({ files }: FinalCheck): string {
  const below = files.some(({ role }) => role === 'portcullis')
    ? ' Remove CERTIFY-BOOK and (LP) from files ending in .acl2.'
    : '';
  return `Put the sources, under these names, into an empty folder.${below} For each of these lines start ACL2 there, with ACL2_CUSTOMIZATION=NONE and ACL2_BOOK_HASH_ALISTP=NIL in its environment:`;
}

/** Returns what was checked and what it depends on. */
export function verdictOf({ claim, book, theoremCount, trustTags, issues }: FinalCheck): string {
  const what = claim === null ? everything(theoremCount) : `The theorem ${visibleLine(claim)}`;
  const rests = issues.map(({ kind, about }) => `${kind} (${about.map(visibleLine).join(' ')})`);
  return [
    `${what} of ${visibleLine(book)} ${claim === null && theoremCount > 1 ? 'hold' : 'holds'}, rebuilt from sources.`,
    rests.length === 0 ? 'Only ACL2 is trusted.' : `Trusted in addition to ACL2: ${rests.join(', ')}.`,
    ...(issues.some(({ kind }) => kind === 'trust-tag')
      ? ['Code with a trust tag could have falsified the result.']
      : []),
    ...(trustTags.length === 0 || rests.length > 0 ? [] : [`Allowed but not used: ${trustTags.join(' ')}.`]),
  ].join(' ');
}

/** Names the checked theorems if no claim was given. */
function everything(theorems: number): string {
  if (theorems === 0) return 'Every definition';
  return theorems === 1 ? '1 theorem' : `${theorems} theorems`;
}

export function theoremLines({ theorems }: Pick<FinalCheck, 'theorems'>): string[] {
  return theorems.flatMap(({ name, formula }) => [visibleLine(name), ...indented(formula)]);
}

export function functionLines({ functions }: Pick<FinalCheck, 'functions'>): string[] {
  return functions.flatMap(({ name, constrained, axiom }) => [
    `${visibleLine(name)}${constrained ? ', known only by its name' : ''}`,
    ...indented(axiom ?? '(ACL2 cannot express it as a formula)'),
  ]);
}

function factsOf({ acl2, lisp, checkedAt, durationMs }: FinalCheck): string {
  const seconds = (durationMs / 1_000).toFixed(1);
  return `${visibleLine(acl2)} on ${visibleLine(lisp)}; ${new Date(checkedAt).toISOString()}, ${seconds} s`;
}

function section(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : [title, ...lines].join('\n');
}

function counted(listed: number, all: number): string {
  return listed === all ? '' : `, the first ${listed} of ${all}`;
}

/** Returns the lines of a formula that the prover printed. */
function indented(formula: string): string[] {
  return visibleForm(formula.trimEnd())
    .split('\n')
    .map((line) => `    ${line}`);
}

/** Returns the lines of a source text, which may have any. */
function quoted(text: string): string[] {
  return text
    .trimEnd()
    .split(/\r\n|\r|\n/)
    .map((line) => `| ${visibleLine(line)}`);
}
