/** What an image has done in other processes while its own world stays as it is: to the session an evaluation like any other. */
import { asFailure } from '../../contract/errors';
import type { ProofProgress } from '../../contract/proof';
import type { Activity } from '../../launchers/launcher';
import type { EvaluateRequest, ImageOutcome, InterruptStep, OutputSink } from '../image';
import type { Certifying } from './certification/certifying';
import { FinalCheck, type FinalCheckOptions } from './final-check/final-check';
import { notDone } from './final-check/outcomes';
import type { OneWayLock } from './raw-lisp';
import { stringGivenTo } from './requests';

/** How other processes are started, in whose worlds nothing is. */
export interface OtherProcesses {
  /** Certifies books of the project, in processes whose locks are as open, as the evaluation of this id. */
  certifying: (id: number, lock: OneWayLock) => Certifying;
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

/** null for what is evaluated in the image itself, whose lock is `lock`. */
export function besideOf(
  request: EvaluateRequest,
  sink: OutputSink,
  { certifying, checking }: OtherProcesses,
  lock: OneWayLock,
): Beside | null {
  const { id, code, checks } = request;
  if (checks) {
    const check = new FinalCheck({ id, asked: checks, ...checking(checks) });
    return withRun(check, () =>
      check.run(request, sink).catch((error: unknown) => notDone(asFailure(error).message)),
    );
  }
  const books = stringGivenTo('certify', code);
  if (books === null) return null;
  const certification = certifying(id, lock);
  return withRun(certification, () => certification.run(books, request, sink));
}

function withRun(work: Omit<Beside, 'run'>, run: Beside['run']): Beside {
  return {
    id: work.id,
    run,
    interrupt: (step) => work.interrupt(step),
    progress: () => work.progress(),
    activity: () => work.activity(),
    end: () => work.end(),
  };
}
