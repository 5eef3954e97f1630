/** What a session would lose by ending: definitions that were evaluated and are in no file. */
import type { Findings } from '../../contract/knowledge';
import type { Session } from '../session/session';

export const NOTHING_UNSAVED: Findings = { results: [], total: 0 };

/** @throws HarborError `not_supported`, `image_lost`, `took_too_long` */
export async function unsavedDefinitions(session: Session, limit: number): Promise<Findings> {
  return session.ability('knowledge').find({ kind: 'unsaved', query: '', limit });
}
