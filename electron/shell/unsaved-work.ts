/** What sessions would lose by ending now. Their images are asked, and have little time to answer. */
import { setTimeout as delay } from 'node:timers/promises';
import { asFailure } from '../contract/errors';
import type { Findings } from '../contract/knowledge';
import { nothingUnsaved, unsavedDefinitions } from '../sessions/export/session-source';
import type { Session } from '../sessions/session/session';
import type { UnsavedWork } from './quit-question';

/** Milliseconds that a person who quits waits for an image; one that is not stuck answers in a few. */
const ANSWER_LIMIT_MS = 2_000;

/** How many definitions of each session are named. */
const SHOWN_NAMES = 6;

/** Those of the sessions that would lose anything. */
export async function unsavedWorkOf(sessions: readonly Session[]): Promise<UnsavedWork[]> {
  const unsavedWork = await Promise.all(sessions.map(workOf));
  return unsavedWork.filter(({ busy, unsaved }) => busy !== null || unsaved === null || unsaved.total > 0);
}

async function workOf(session: Session): Promise<UnsavedWork> {
  const found = await unsavedIn(session);
  const unsaved = found && { names: found.results.map(({ text }) => text), total: found.total };
  return { session: session.id, name: session.identity.name, busy: busyness(session), unsaved };
}

function busyness({ state }: Session): UnsavedWork['busy'] {
  if (state === 'running' || state === 'starting') return 'running';
  return state === 'debugger' ? 'held' : null;
}

/** null when the image did not say in time. What is defined in a server stays there. */
async function unsavedIn(session: Session): Promise<Findings | null> {
  if (session.identity.server) return nothingUnsaved();
  const found = unsavedDefinitions(session, { limit: SHOWN_NAMES }).catch((error: unknown) =>
    asFailure(error).code === 'took_too_long' ? null : nothingUnsaved(),
  );
  return Promise.race([found, delay(ANSWER_LIMIT_MS, null, { ref: false })]);
}
