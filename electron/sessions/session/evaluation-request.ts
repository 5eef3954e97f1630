/** What a session is asked for and what it tells of it: the words that it shares with its journal and its callers. */
import type { Act, Admission } from '../../contract/approvals';
import type { Limits } from '../../contract/memory';
import type { EngineName, EvaluationKind } from '../../contract/model';
import type { ServerAddress } from '../../contract/server';
import type { EvaluateRequest, Image, ImageOutcome } from '../../images/image';
import type { LibraryFetch } from '../../images/library-fetch';
import type { Standing } from '../recovery/kept-session';

/** What a caller asks of a session. One of the kind `try` is evaluated in a branch of the image, which is then thrown away.
 * Everything else about an evaluation the session knows itself. */
export interface EvaluationRequest extends Omit<EvaluateRequest, 'id'> {
  client: string;
  kind: EvaluationKind;
  /** Runs beside the image in place of `code`, which then only says what it does. */
  fetch?: LibraryFetch;
}

/** What it is to whoever may be asked about it: loading, or any other evaluation. */
export function actOf({ client, kind, code }: EvaluationRequest): Omit<Act, 'signal'> {
  return { client, class: kind === 'load' || kind === 'test' ? 'load' : 'evaluate', tool: kind, code };
}

/** What a client has an image do that is no evaluation: it counts as one at the door. */
export type SessionAct = Pick<Act, 'client' | 'tool' | 'code' | 'signal'>;

/** @throws HarborError `paused`, `not_approved`, `cancelled` */
export async function letIn(admission: Admission, signal = new AbortController().signal): Promise<void> {
  const refusal = await admission(signal);
  if (refusal) throw refusal;
}

export interface SessionIdentity {
  id: string;
  engine: EngineName;
  name: string;
  client: string;
  project: string;
  limits: Limits;
  /** The server that it is attached to; absent where its images are started for it. */
  server?: ServerAddress;
  openedAt: number;
}

/** What a session is made with. */
export interface SessionBeginning extends Omit<Standing, 'package'> {
  /** The image to begin with. */
  image: Image;
  /** Its newest evaluation; 0 before the first. */
  newestRow: number;
  /** Why an earlier image is gone, after the word "because"; null: this is its first. */
  sleptBecause: string | null;
}

/** How an evaluation ended, for the journal: the image's outcome and when. */
export interface ClosedEvaluation extends ImageOutcome {
  endedAt: number;
  durationMs: number;
}
