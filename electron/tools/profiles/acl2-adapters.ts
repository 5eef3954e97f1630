/** Adapters of `eval` for the profile `acl2`: they speak to the connection's ACL2 session, or to one that is named. */
import type { z } from 'zod';
import type { Session } from '../../sessions/session/session';
import type { Code } from '../../source/code';
import { sessionOf } from '../arguments';
import { evalTool } from '../evaluation/eval-tool';
import type { EvaluateToolOptions } from '../evaluation/evaluation-answer';
import type { EvaluationRecord } from '../evaluation/record';
import { session_id, timeout, where } from './acl2-arguments';
import { adaptersOf } from './tool-adapter';

/** A tool of the prover: the code to evaluate, and how its record is judged and rendered. */
export interface ProverAdapter<A extends ProverArguments> {
  description: string;
  args: A;
  /** A caller's own code as it is, or code that was made of what its arguments were read as. */
  code(given: z.output<A>, session: Session): string | Code | Promise<string | Code>;
  /** @param ours what our own tool says of it; of a job that is all */
  render?(record: EvaluationRecord, ours: string, given: z.output<A>): string;
  /** Whether an evaluation that went well is a success of the call too; not asked of a job. */
  succeeds?(record: EvaluationRecord): boolean;
}

export type ProverArguments = z.ZodObject<{ session_id: typeof session_id; timeout: typeof timeout }>;

/** Arguments that all of them take. */
export const inSession = { session_id, timeout };

export function proverAdapters(options: EvaluateToolOptions) {
  const evaluation = adaptersOf(evalTool(options));
  return <A extends ProverArguments>(name: string, adapter: ProverAdapter<A>) => {
    const { description, args, code, render, succeeds } = adapter;
    return evaluation<A>({
      name,
      description,
      args,
      engine: 'acl2',
      toArguments: async (given, caller) => {
        const { session } = await sessionOf(given.session_id, caller, options.sessions);
        return { code: String(await code(given, session)), ...where(given), session: session.id };
      },
      ...(render
        ? { render: (record, given, ours) => (record.job ? ours : render(record, ours, given)) }
        : {}),
      ...(succeeds ? { fails: (record) => record.job === undefined && !succeeds(record) } : {}),
    });
  };
}
