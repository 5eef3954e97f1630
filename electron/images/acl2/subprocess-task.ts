/** Evaluations that run in separate processes and do not change the image's world. For the session they are normal evaluations. */
import { asFailure } from '../../contract/errors';
import type { ProofProgress } from '../../contract/proof';
import type { Activity } from '../../launchers/launcher';
import type { EvaluateRequest, ImageOutcome, InterruptStep, OutputSink } from '../image';
import type { FinalCheckRequest } from '../world';
import type { CertificationTask } from './certification/certification';
import { FinalCheck, type FinalCheckOptions } from './final-check/final-check';
import { checkFailed } from './final-check/final-check-report';
import type { OneWayLock } from './trust-tags';

/** Prepares tasks whose processes start with an empty world. */
export interface SubprocessFactory {
  /** Returns a certification of project books as evaluation `id`. Its processes have the permissions of `lock`. */
  certification: (id: number, lock: OneWayLock) => CertificationTask;
  /** Returns the resources for a final check. */
  finalCheckContext: (check: FinalCheckRequest) => Omit<FinalCheckOptions, 'id' | 'check'>;
}

export interface SubprocessTask {
  readonly id: number;
  /** Never rejects. */
  run(): Promise<Omit<ImageOutcome, 'package'>>;
  interrupt(step: InterruptStep): Promise<boolean>;
  progress(): Promise<ProofProgress | null>;
  activity(): Promise<Activity | null>;
  end(): Promise<void>;
}

/** Returns the task for `request`; null for code that the image itself evaluates. @param lock the image's */
export function subprocessTask(
  request: EvaluateRequest,
  sink: OutputSink,
  factory: SubprocessFactory,
  lock: OneWayLock,
): SubprocessTask | null {
  const { id, certify, finalCheck } = request;
  if (finalCheck) {
    const check = new FinalCheck({ id, check: finalCheck, ...factory.finalCheckContext(finalCheck) });
    return taskWithRun(check, () =>
      check.run(request, sink).catch((error: unknown) => checkFailed(asFailure(error).message)),
    );
  }
  if (certify === undefined) return null;
  const certification = factory.certification(id, lock);
  return taskWithRun(certification, () => certification.run(certify, request, sink));
}

function taskWithRun(work: Omit<SubprocessTask, 'run'>, run: SubprocessTask['run']): SubprocessTask {
  return {
    id: work.id,
    run,
    interrupt: (step) => work.interrupt(step),
    progress: () => work.progress(),
    activity: () => work.activity(),
    end: () => work.end(),
  };
}
