/** Faces of `eval` that speak to the ACL2 session of a connection of the profile `acl2`, or to one that is named. */
import type { z } from 'zod';
import type { Session } from '../../sessions/session/session';
import { evalTool } from '../evaluation/evaluate';
import type { EvaluateToolOptions } from '../evaluation/evaluation-answer';
import type { EvaluationRecord } from '../evaluation/record';
import { sessionOf } from '../session-argument';
import { session_id, timeout, where } from './acl2-arguments';
import { facesOf } from './tool-adapter';

/** A tool of the prover: what is evaluated, and how what came of it is judged and told. */
export interface ProverFace<A extends ProverArguments> {
  description: string;
  args: A;
  code(given: z.output<A>, session: Session): string | Promise<string>;
  tells?(record: EvaluationRecord, given: z.output<A>): string;
  /** What a success of the evaluation needs to be one of the call; a job is none yet. */
  succeeds?(record: EvaluationRecord): boolean;
}

type ProverArguments = z.ZodObject<{ session_id: typeof session_id; timeout: typeof timeout }>;

/** Arguments of them all. */
export const inSession = { session_id, timeout };

export function proverFaces(options: EvaluateToolOptions) {
  const evaluation = facesOf(evalTool(options));
  return <A extends ProverArguments>(name: string, shown: ProverFace<A>) => {
    const { description, args, code, tells, succeeds } = shown;
    return evaluation<A>({
      name,
      description,
      args,
      engine: 'acl2',
      asks: async (given, caller) => {
        const { session } = await sessionOf(given.session_id, caller, options.sessions);
        return { code: await code(given, session), ...where(given), session: session.id };
      },
      ...(tells ? { tells } : {}),
      ...(succeeds ? { fails: (record) => record.job === undefined && !succeeds(record) } : {}),
    });
  };
}
