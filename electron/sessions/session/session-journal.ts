/** Where a session writes down what happens in it. */
import type { Evaluation, SessionView, Stream } from '../../contract/model';
import type { ReplayEntry } from '../../images/checkpoints';
import type { HeldEvaluation } from '../../images/optional-groups';
import type { Standing } from '../recovery/kept-session';
import type { Lineage } from '../recovery/lineage';
import type { ClosedEvaluation, EvaluationRequest, SessionIdentity } from './evaluation-request';

/** What a journal reads of a session. */
export interface Recorded {
  readonly identity: SessionIdentity;
  readonly package: string;
  readonly standing: Standing;
  view(): SessionView;
}

/** Where a session writes down what happens in it. */
export interface Journal {
  /** Opens the row before the code runs. One that cannot be written now waits in memory. */
  open(session: Recorded, request: EvaluationRequest): Evaluation;
  /** It begins in this package, which may be another one than when it was asked for. Never throws. */
  began(opened: Evaluation, packageName: string): void;
  /** What a replay of the lineage evaluates again, oldest first. Never throws. */
  recall(lineage: Lineage): ReplayEntry[];
  /** The evaluation is held in the debugger; its row stays open. Never throws. */
  held(opened: Evaluation, held: HeldEvaluation): void;
  /** It goes on. Never throws. */
  wentOn(opened: Evaluation): void;
  /** `dropped` counts characters printed right before `text` that never came. Never throws. */
  output(opened: Evaluation, stream: Stream, text: string, dropped: number): void;
  /** Never throws: a row that cannot be written is answered all the same, and says so in its notes. */
  close(opened: Evaluation, closed: ClosedEvaluation): Evaluation;
  /** Never throws. */
  changed(session: Recorded): void;
}
