/** Certifies one book in a process with an empty world. */

import { stat } from 'node:fs/promises';
import { lispString } from '../../../contract/knowledge';
import { noteTexts } from '../../../contract/note';
import type { TrustIssue } from '../../../contract/proof';
import { OneForm } from '../../../source/code';
import { elementsOf } from '../../../source/reader';
import type { EvaluateRequest, Image, ImageOutcome, OutputSink } from '../../image';
import { claimNote } from '../evaluation';
import { condition } from '../messages';
import { isWithdrawn } from '../verdict';
import { harborForm } from '../wire';
import type { Acl2World, NamedFiles } from '../world';
import type { Book } from './project-books';

export type Outcome = Omit<ImageOutcome, 'package'>;

/** The result for a book. */
interface CertifiedBook {
  outcome: Outcome;
  /** null if ACL2 wrote no certificate. */
  certificate: string | null;
  /** The files that ACL2 may have read for it. */
  named: NamedFiles;
}

/** The image of a certifying process. */
export type CertifyingImage = Image & Readonly<{ world: Pick<Acl2World, 'files' | 'triedClaims'> }>;

export const NO_FILES: NamedFiles = Object.freeze({ files: [], books: [] });

const INTERRUPTED = 'The certifying process was interrupted.';

/**
 * Certifies `book`. Its trust issues are determined by including the certified book: the certifying world
 * reports fewer skipped proofs, and reports a book with LOCAL events as uncertified. A book with a theorem that is
 * false for some values has failed, although ACL2 wrote a certificate.
 * The limits of the request apply.
 */
export async function certifyBook(
  image: CertifyingImage,
  book: Book,
  { id, cpuSeconds, outputChars }: EvaluateRequest,
  sink: OutputSink,
): Promise<CertifiedBook> {
  const named = () => image.world.files().catch(() => NO_FILES);
  const limits = { id, ...(cpuSeconds && { cpuSeconds }), ...(outputChars && { outputChars }) };
  const outcome = await image.evaluate({ ...limits, code: codeOf(book) }, sink);
  const written = outcome.outcome === 'ok' && (await isFile(`${book.file}.cert`));
  if (!written) return { outcome: sessionOutcome(outcome), certificate: null, named: await named() };
  const included = await image.evaluate({ ...limits, code: includeCode(book) }, () => undefined);
  if (included.outcome !== 'ok')
    return { outcome: sessionOutcome(included), certificate: null, named: await named() };
  const claims = await image.world.triedClaims({ book: `${book.file}.lisp` });
  const refuted = claims.find(isWithdrawn);
  if (refuted) return { outcome: failed(claimNote(refuted).text), certificate: null, named: await named() };
  const issues = withoutOwnBook(book, included.report?.proof?.issues ?? []);
  const tried = { ...outcome, notes: [...outcome.notes, ...claims.map((each) => claimNote(each))] };
  return { outcome: withIssues(issues, tried), certificate: `${book.file}.cert`, named: await named() };
}

export function failed(why: string): Outcome {
  return { outcome: 'error', forms: [], warnings: [], condition: condition('Certification', why), notes: [] };
}

/**
 * Submits the events of the portcullis first, as ACL2's build system does (see PRE-CERTIFY-BOOK in its
 * documentation).
 */
function codeOf({ file, portcullis, flags }: Book): string {
  const before = portcullis === null ? [] : [harborForm('portcullis', lispString(portcullis))];
  return [...before, certifyForm(file, flags)].join('\n');
}

/** Includes the book in a world without the commands that certified it. */
function includeCode({ file }: Book): string {
  return `(acl2::ubt! 1) (acl2::include-book ${lispString(file)})`;
}

/** Returns the outcome of a process that was stopped on purpose; its errors do not concern the book. */
export function asInterrupted(outcome: Outcome): Outcome {
  return { ...outcome, outcome: 'interrupted', condition: null };
}

/**
 * Converts the end of the certifying process, or a limit that it reached, into an error of the book. For the
 * session they are neither a crash nor an interrupt.
 */
function sessionOutcome(outcome: ImageOutcome): Outcome {
  const why = noteTexts(outcome.notes).join(' ');
  if (outcome.outcome === 'crashed') return failed(why);
  if (outcome.outcome !== 'interrupted') return outcome;
  return {
    ...outcome,
    outcome: 'error',
    condition: condition('Certification', why || INTERRUPTED),
    notes: [],
  };
}

/** Removes the book itself from the foreign books. */
function withoutOwnBook({ file }: Book, issues: readonly TrustIssue[]): TrustIssue[] {
  return issues.flatMap(({ kind, about }) => {
    const remaining = kind === 'outside-book' ? about.filter((book) => book !== `${file}.lisp`) : about;
    return remaining.length === 0 ? [] : [{ kind, about: remaining }];
  });
}

/** Returns the outcome with these issues, in total and for the certifying form. */
function withIssues(issues: TrustIssue[], outcome: ImageOutcome): Outcome {
  const { report } = outcome;
  if (!report?.proof) return outcome;
  const events = report.proof.events.map((event) =>
    event.operator === 'CERTIFY-BOOK' ? { ...event, issues } : event,
  );
  return { ...outcome, report: { ...report, proof: { ...report.proof, events, issues } } };
}

async function isFile(file: string): Promise<boolean> {
  return (await stat(file).catch(() => null))?.isFile() ?? false;
}

/** Flags that are passed on. ACL2 checks their values. */
const PASSED_FLAGS = [':ttags', ':skip-proofs-okp', ':defaxioms-okp'] as const;

/** All trust tags are requested here; those that are not allowed stay locked. */
const DEFAULT_FLAGS = { ':ttags': ':all' };

/**
 * Returns the CERTIFY-BOOK form for a book. A project gives arguments in a comment, `; cert-flags: ? t
 * :ttags :all`, of the file that is loaded before the book. Compilation arguments are ignored, because no
 * book is compiled.
 *
 * @param flags text of that comment, or null
 */
export function certifyForm(book: string, flags: string | null): string {
  const flagValues = Object.entries({ ...DEFAULT_FLAGS, ...parsedFlags(flags ?? '') });
  const options = flagValues.map(([name, value]) => ` ${name} ${value}`).join('');
  return `(acl2::certify-book ${lispString(book)} acl2::? acl2::nil${options})`;
}

function parsedFlags(flags: string): Record<string, string> {
  const words = elementsOf(`(${flags})`, 'common-lisp') ?? [];
  return Object.fromEntries(
    PASSED_FLAGS.flatMap((name) => {
      const at = words.findIndex((word) => word.toLowerCase() === name);
      const value = at < 0 ? undefined : words[at + 1];
      return value === undefined ? [] : [[name, String(OneForm.read(value, 'common-lisp', 'cert-flags'))]];
    }),
  );
}
