/**
 * Certifying a book in an ACL2 process of its own, because no command may be in the world below it. To the session this
 * is an evaluation like any other: its output comes as it is printed, and it is interrupted in the same way.
 */
import { stat } from 'node:fs/promises';
import { lispString } from '../../contract/knowledge';
import type { Condition } from '../../contract/model';
import type { ProofProgress, ProofReport } from '../../contract/proof';
import type { TestRun } from '../../contract/report';
import type { Activity } from '../../launchers/launcher';
import type { EvaluateRequest, Image, ImageOutcome, InterruptStep, OutputSink } from '../image';
import { CERTIFY_BOOK } from './loader';
import { condition } from './messages';
import { harborForm } from './requests';

type Outcome = Omit<ImageOutcome, 'package'>;

export class Certifying {
  readonly id: number;
  readonly #image: Promise<Image>;
  #interrupted = false;

  /** @param start starts an image in whose world nothing is, and which may write where the book is */
  constructor(id: number, start: () => Promise<Image>) {
    this.id = id;
    this.#image = start();
  }

  /** Settles when the process has ended. @param book the absolute path of its file without `.lisp`
   * @throws HarborError as `Engine.start` does */
  async run(
    book: string,
    { code, cpuSeconds, outputChars }: EvaluateRequest,
    sink: OutputSink,
  ): Promise<Outcome> {
    const image = await this.#image;
    try {
      if (this.#interrupted) return nothingDone();
      const limits = { ...(cpuSeconds && { cpuSeconds }), ...(outputChars && { outputChars }) };
      const request = { id: this.id, code: await certifyingCode(book), ...limits };
      return await certified(book, code, await image.evaluate(request, sink));
    } finally {
      await image.end();
    }
  }

  /** As `Image.interrupt`. */
  async interrupt(step: InterruptStep): Promise<boolean> {
    this.#interrupted = true;
    return (await this.#image).interrupt(this.id, step);
  }

  /** As `Image.progress`. */
  async progress(): Promise<ProofProgress | null> {
    const image = await this.#image.catch(() => null);
    return (await image?.progress?.()) ?? null;
  }

  /** As `Image.activity`, of the process that certifies. */
  async activity(): Promise<Activity | null> {
    const image = await this.#image.catch(() => null);
    return (await image?.activity?.()) ?? null;
  }

  async end(): Promise<void> {
    this.#interrupted = true;
    await this.#image.then((image) => image.end()).catch(() => undefined);
  }
}

/** The events of `<book>.acl2` go before it, as ACL2's own build system has it (its documentation, PRE-CERTIFY-BOOK). */
async function certifyingCode(book: string): Promise<string> {
  const portcullis = `${book}.acl2`;
  return [
    ...((await isFile(portcullis)) ? [harborForm('load', lispString(portcullis))] : []),
    `(acl2::certify-book ${lispString(book)} acl2::? acl2::nil :ttags acl2::nil)`,
  ].join('\n');
}

/** The outcome for the session. That the certifying process is gone is no crash of the session. */
async function certified(book: string, code: string, outcome: ImageOutcome): Promise<Outcome> {
  const { outcome: how, report, notes, warnings } = outcome;
  if (how === 'crashed') return notCertified(notes.join(' '));
  const admitted = how === 'ok' && (await isFile(`${book}.cert`));
  const certificate = admitted ? `${book}.cert` : null;
  return {
    outcome: how,
    forms: certificate === null ? [] : [{ code, values: [lispString(certificate)] }],
    warnings: warnings.map((warning) => ({ ...warning, form: 0 })),
    condition: outcome.condition,
    notes,
    report: {
      loaded: [],
      failures: report?.failures ?? [],
      runs: how === 'interrupted' ? [] : [bookRun(book, certificate, outcome.condition)],
      ...(report?.proof ? { proof: proofOf(report.proof, { book, certificate }) } : {}),
    },
  };
}

/** The book as one test, which fails at what the certification stopped at. */
function bookRun(book: string, certificate: string | null, stoppedBy: Condition | null): TestRun {
  const reason = stoppedBy?.message ?? 'ACL2 wrote no certificate.';
  const failures = certificate === null ? [{ test: book, kind: 'failed' as const, reason }] : [];
  const failed = failures.length;
  return {
    framework: CERTIFY_BOOK,
    tests: [book],
    counts: { passed: 1 - failed, failed, errors: 0, skipped: 0 },
    failures,
  };
}

/** Without what was true in the certifying process only: it could be taken for the session's own world. */
function proofOf(proof: ProofReport, certification: NonNullable<ProofReport['certification']>): ProofReport {
  const { change: _change, ...told } = proof;
  return {
    ...told,
    events: proof.events.map((event) => ({ ...event, form: 0 })),
    command: null,
    certification,
  };
}

export function notCertified(why: string): Outcome {
  return { outcome: 'error', forms: [], warnings: [], condition: condition('Certification', why), notes: [] };
}

function nothingDone(): Outcome {
  const note = 'Nothing was certified: it was interrupted before it began.';
  return { outcome: 'interrupted', forms: [], warnings: [], condition: null, notes: [note] };
}

async function isFile(file: string): Promise<boolean> {
  return (await stat(file).catch(() => null))?.isFile() ?? false;
}
