/** What an image has done in other processes while its own world stays as it is: to the session an evaluation like any other. */
import { asFailure } from '../../contract/errors';
import type { ProofProgress } from '../../contract/proof';
import type { Activity } from '../../launchers/launcher';
import type { EvaluateRequest, Image, ImageOutcome, InterruptStep, OutputSink } from '../image';
import { Certifying, notCertified } from './certifying';
import { FinalCheck, type FinalCheckOptions } from './final-check/final-check';
import { notDone } from './final-check/outcomes';
import { stringGivenTo } from './requests';

/** How other processes are started, in whose worlds nothing is. */
export interface OtherProcesses {
  /** Of the same project. */
  another: () => Promise<Image>;
  /** What a final check needs, of what was asked. */
  checking: (asked: NonNullable<EvaluateRequest['checks']>) => Omit<FinalCheckOptions, 'id' | 'asked'>;
}

export interface Beside {
  readonly id: number;
  /** Never rejects. */
  run(): Promise<Omit<ImageOutcome, 'package'>>;
  interrupt(step: InterruptStep): Promise<boolean>;
  progress(): Promise<ProofProgress | null>;
  activity(): Promise<Activity | null>;
  end(): Promise<void>;
}

/** null for what is evaluated in the image itself. */
export function besideOf(
  request: EvaluateRequest,
  sink: OutputSink,
  { another, checking }: OtherProcesses,
): Beside | null {
  const { id, code, checks } = request;
  if (checks) {
    const check = new FinalCheck({ id, asked: checks, ...checking(checks) });
    return withRun(check, () => check.run(request, sink), notDone);
  }
  const book = stringGivenTo('certify', code);
  if (book === null) return null;
  const certifying = new Certifying(id, another);
  return withRun(certifying, () => certifying.run(book, request, sink), notCertified);
}

function withRun(
  work: Omit<Beside, 'run'>,
  run: Beside['run'],
  failed: (why: string) => Omit<ImageOutcome, 'package'>,
): Beside {
  return {
    id: work.id,
    run: () => run().catch((error: unknown) => failed(asFailure(error).message)),
    interrupt: (step) => work.interrupt(step),
    progress: () => work.progress(),
    activity: () => work.activity(),
    end: () => work.end(),
  };
}
