/** What the image knows of a name that is being typed. A person types on meanwhile, so it is asked for a moment only. */
import type { Completion } from '../contract/knowledge';
import type { Session } from './session/session';

/** How many names are offered. */
const MOST = 60;

/** How long the image has to answer, in milliseconds; a list that comes later is for what was typed long ago. */
const PATIENCE_MS = 1_000;

/** Names that begin with `prefix`; none where the image cannot tell, or not in time. */
export async function completions(session: Session, prefix: string): Promise<Completion[]> {
  if (!session.offers('knowledge')) return [];
  const found = await soon(
    async () => await session.ability('knowledge').find({ kind: 'completions', query: prefix, limit: MOST }),
  );
  return (found?.results ?? []).map(({ text, kind, arglist: called }) => ({
    name: text,
    kind,
    ...(called === undefined ? {} : { arglist: called }),
  }));
}

/** How the operator is called; null where the image cannot tell, or not in time. */
export async function arglist(session: Session, operator: string): Promise<string | null> {
  if (!session.offers('knowledge')) return null;
  const described = await soon(async () => await session.ability('knowledge').describe({ symbol: operator }));
  return described?.definitions.find(({ arglist: called }) => called !== undefined)?.arglist ?? null;
}

/** null for what fails, too: nobody asked for it who could be told why. */
async function soon<T>(ask: () => Promise<T>): Promise<T | null> {
  const late = Promise.withResolvers<null>();
  const timer = setTimeout(() => late.resolve(null), PATIENCE_MS);
  try {
    return await Promise.race([ask(), late.promise]);
  } catch {
    return null;
  } finally {
    clearTimeout(timer);
  }
}
