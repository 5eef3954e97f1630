/** One book, certified in a process in whose world nothing is. */
import { stat } from 'node:fs/promises';
import { lispString } from '../../../contract/knowledge';
import type { EventReport, ProofReport, TrustIssue } from '../../../contract/proof';
import type { EvaluateRequest, Image, ImageOutcome, OutputSink } from '../../image';
import { condition } from '../messages';
import { harborForm } from '../requests';
import { certifyForm } from './certify-arguments';
import type { Book } from './project-books';

export type Outcome = Omit<ImageOutcome, 'package'>;

/** Of a book that has its certificate: that file, and what the certification told. */
export interface Certified {
  outcome: Outcome;
  /** null where ACL2 wrote none. */
  certificate: string | null;
}

/** @param request whose limits hold for it */
export async function certifyIn(
  image: Image,
  book: Book,
  { id, cpuSeconds, outputChars }: EvaluateRequest,
  sink: OutputSink,
): Promise<Certified> {
  const limits = { ...(cpuSeconds && { cpuSeconds }), ...(outputChars && { outputChars }) };
  const { outcome: how, ...told } = await image.evaluate({ id, code: codeOf(book), ...limits }, sink);
  // That the certifying process is gone is no crash of the session.
  if (how === 'crashed') return { outcome: failed(told.notes.join(' ')), certificate: null };
  const certificate = how === 'ok' && (await isFile(`${book.file}.cert`)) ? `${book.file}.cert` : null;
  return { outcome: { ...told, outcome: how, ...withoutItself(told, book) }, certificate };
}

export function failed(why: string): Outcome {
  return { outcome: 'error', forms: [], warnings: [], condition: condition('Certification', why), notes: [] };
}

/** The events of its portcullis go before it, as ACL2's own build system has it (its documentation, PRE-CERTIFY-BOOK). */
function codeOf({ file, portcullis, flags }: Book): string {
  const before = portcullis === null ? [] : [harborForm('load', lispString(portcullis))];
  return [...before, certifyForm(file, flags)].join('\n');
}

/** A book with LOCAL events is included once before it has its certificate, and counts from then on as one without. */
function withoutItself({ report }: Pick<Outcome, 'report'>, { file }: Book): Pick<Outcome, 'report'> {
  if (!report?.proof) return {};
  const itself = JSON.stringify(`${file}.lisp`);
  const others = (issues: readonly TrustIssue[]): TrustIssue[] =>
    issues.flatMap(({ kind, about }) => {
      const left = ABOUT_BOOKS.has(kind) ? about.filter((book) => book !== itself) : about;
      return left.length === 0 ? [] : [{ kind, about: left }];
    });
  const withOthers = <Told extends EventReport | ProofReport>(told: Told): Told => ({
    ...told,
    issues: others(told.issues),
  });
  const proof = withOthers(report.proof);
  return { report: { ...report, proof: { ...proof, events: proof.events.map(withOthers) } } };
}

const ABOUT_BOOKS: ReadonlySet<TrustIssue['kind']> = new Set(['uncertified-book', 'outside-book']);

async function isFile(file: string): Promise<boolean> {
  return (await stat(file).catch(() => null))?.isFile() ?? false;
}
