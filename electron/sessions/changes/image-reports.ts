/** The reports of an image about its definitions. */

import { asFailure } from '../../contract/errors';
import type { Findings } from '../../contract/knowledge';
import type { DefinitionInImage } from '../../contract/source-files';
import { definedForms } from '../../source/defined-forms';
import { dialectOf } from '../../source/dialect';
import { read } from '../../source/reader';
import type { Session } from '../session/session';
import type { Redefinition } from './definition-changes';

/** Returns the definitions of a logical world, as the prover prints its commands. */
export async function definitionsInWorld(session: Session): Promise<DefinitionInImage[]> {
  const { commands } = await session.ability('world').commands({ limit: ALL, source: true });
  return commands.flatMap(({ text }) =>
    definedForms(read(text, 'common-lisp'), 'ACL2').map(({ key, code }) => ({
      key,
      code,
      evaluation: 0,
      at: 0,
    })),
  );
}

/** More definitions than any session has. */
const ALL = 100_000;

/** Maximum names that are looked up in the image. */
const MAX_LOOKUPS = 200;

/**
 * Returns definitions that only evaluations made, including those saved since; null if the engine does not
 * report them.
 */
export async function reportedDefinitions(session: Session): Promise<Findings | null> {
  if (!session.offers('knowledge')) return null;
  try {
    return await session.ability('knowledge').find({ kind: 'unsaved', query: '', limit: ALL });
  } catch (error) {
    if (asFailure(error).code === 'not_supported') return null;
    throw error;
  }
}

/** Returns the removals that the image confirms; all if the engine does not report definitions. */
export async function confirmedRemovals(
  session: Session,
  removed: readonly Redefinition[],
  canLookUp: boolean,
): Promise<Redefinition[]> {
  if (!canLookUp) return [...removed];
  const knowledge = session.ability('knowledge');
  const answers = await Promise.all(
    removed.slice(0, MAX_LOOKUPS).map(async (each) => {
      const { name, package: here } = each.by;
      const query = dialectOf(session.identity.engine) === 'clojure' ? `${here}/${name}` : name;
      const selection = { kind: 'definitions', query, package: here, limit: 1 } as const;
      const found = await knowledge.find(selection).catch(() => null);
      return found === null || found.total === 0 ? [each] : [];
    }),
  );
  return answers.flat();
}
