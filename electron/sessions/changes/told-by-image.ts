/** What the image of a session says of its definitions. */
import { asFailure } from '../../contract/errors';
import type { Findings } from '../../contract/knowledge';
import { dialectOf } from '../../source/dialect';
import type { Session } from '../session/session';
import type { Redefinition } from './definition-changes';

/** More than anybody evaluates by hand. */
const ALL = 100_000;

/** So many names are asked of the image, whether they are still there. */
const MOST_ASKED = 200;

/** What only evaluations hold, those included that were written to files since; null where the engine does not say. */
export async function definitionsHeld(session: Session): Promise<Findings | null> {
  if (!session.offers('knowledge')) return null;
  try {
    return await session.ability('knowledge').find({ kind: 'unsaved', query: '', limit: ALL });
  } catch (error) {
    if (asFailure(error).code === 'not_supported') return null;
    throw error;
  }
}

/** Those of which the image says that they are gone; where it does not say what it has, what was evaluated is believed. */
export async function stillGone(
  session: Session,
  removed: readonly Redefinition[],
  asks: boolean,
): Promise<Redefinition[]> {
  if (!asks) return [...removed];
  const knowledge = session.ability('knowledge');
  const answers = await Promise.all(
    removed.slice(0, MOST_ASKED).map(async (each) => {
      const { name, package: here } = each.by;
      const query = dialectOf(session.identity.engine) === 'clojure' ? `${here}/${name}` : name;
      const asked = { kind: 'definitions', query, package: here, limit: 1 } as const;
      const found = await knowledge.find(asked).catch(() => null);
      return found === null || found.total === 0 ? [each] : [];
    }),
  );
  return answers.flat();
}
