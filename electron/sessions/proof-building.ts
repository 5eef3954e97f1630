/** Instructions to a prover's proof-builder, run in a session as any caller's evaluation. */
import type { BuiltProof } from '../contract/proof';
import { code } from '../source/code';
import { givenForm } from './given-form';
import type { Session } from './session/session';

/**
 * Runs `instructions` on `term`, each of them one form, up to the first that fails. The world stays as it is.
 * @throws HarborError `bad_arguments`, `not_supported`, `session_ended`, `image_lost`
 */
export async function buildProof(
  session: Session,
  client: string,
  { term, instructions }: { term: string; instructions: readonly string[] },
): Promise<BuiltProof> {
  const forms = instructions.map((each) => givenForm(each, session, 'instruction'));
  const building = session.ability('world').buildCode(givenForm(term, session, 'term'), code`(${forms})`);
  const row = await session.evaluate({ client, kind: 'eval', code: building }).settled;
  const { id, outcome, condition, notes, report } = row;
  const problem = outcome === 'ok' ? null : (condition?.message ?? notes.join(' ')) || outcome;
  return { evaluation: id, problem, goals: report?.proof?.builder?.goals ?? [] };
}
