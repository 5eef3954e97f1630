/** One book, certified in a process in whose world nothing is. */
import { stat } from 'node:fs/promises';
import { lispString } from '../../../contract/knowledge';
import type { TrustIssue } from '../../../contract/proof';
import type { EvaluateRequest, Image, ImageOutcome, OutputSink } from '../../image';
import { condition } from '../messages';
import { harborForm } from '../requests';
import { certifyForm } from './certify-arguments';
import type { Book } from './project-books';

export type Outcome = Omit<ImageOutcome, 'package'>;

/** What came of a book. */
export interface Certified {
  outcome: Outcome;
  /** null where ACL2 wrote none. */
  certificate: string | null;
}

const INTERRUPTED = 'The process that certified it was interrupted.';

/**
 * What it rests on is what its certificate says to who includes it: the world in which it was certified tells less of skipped
 * proofs, and calls a book with LOCAL events one without certificate.
 * @param request whose limits hold for it
 */
export async function certifyIn(
  image: Image,
  book: Book,
  { id, cpuSeconds, outputChars }: EvaluateRequest,
  sink: OutputSink,
): Promise<Certified> {
  const limits = { id, ...(cpuSeconds && { cpuSeconds }), ...(outputChars && { outputChars }) };
  const outcome = await image.evaluate({ ...limits, code: codeOf(book) }, sink);
  const written = outcome.outcome === 'ok' && (await isFile(`${book.file}.cert`));
  if (!written) return { outcome: ofSession(outcome), certificate: null };
  const included = await image.evaluate({ ...limits, code: includingCode(book) }, () => undefined);
  if (included.outcome !== 'ok') return { outcome: ofSession(included), certificate: null };
  const issues = othersThan(book, included.report?.proof?.issues ?? []);
  return { outcome: restingOn(issues, outcome), certificate: `${book.file}.cert` };
}

export function failed(why: string): Outcome {
  return { outcome: 'error', forms: [], warnings: [], condition: condition('Certification', why), notes: [] };
}

/** The events of its portcullis go before it, as ACL2's own build system has it (its documentation, PRE-CERTIFY-BOOK). */
function codeOf({ file, portcullis, flags }: Book): string {
  const before = portcullis === null ? [] : [harborForm('portcullis', lispString(portcullis))];
  return [...before, certifyForm(file, flags)].join('\n');
}

/** In a world without the commands that certified it. */
function includingCode({ file }: Book): string {
  return `(acl2::ubt! 1) (acl2::include-book ${lispString(file)})`;
}

/** Of a process that was stopped because nobody wants it any more: whatever it says then is nothing of the book. */
export function stopped(outcome: Outcome): Outcome {
  return { ...outcome, outcome: 'interrupted', condition: null };
}

/** That the certifying process is gone is no crash of the session, and that it reached a limit no interrupt of it: both are why
 * the book has no certificate. */
function ofSession(outcome: ImageOutcome): Outcome {
  const why = outcome.notes.join(' ');
  if (outcome.outcome === 'crashed') return failed(why);
  if (outcome.outcome !== 'interrupted') return outcome;
  return {
    ...outcome,
    outcome: 'error',
    condition: condition('Certification', why || INTERRUPTED),
    notes: [],
  };
}

/** That it is itself none of the system's need not be told of it. */
function othersThan({ file }: Book, issues: readonly TrustIssue[]): TrustIssue[] {
  return issues.flatMap(({ kind, about }) => {
    const left = kind === 'outside-book' ? about.filter((book) => book !== `${file}.lisp`) : about;
    return left.length === 0 ? [] : [{ kind, about: left }];
  });
}

/** The same with these issues, of the whole and of the form that certified it. */
function restingOn(issues: TrustIssue[], outcome: ImageOutcome): Outcome {
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
