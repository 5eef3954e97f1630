/** What was typed and not sent, by session: kept as it is typed, so that neither a reload nor a crash of the page loses it. */
import type { SessionId, SessionView } from '../../electron/contract/model';

const PREFIX = 'draft:';

/** Longer ones are not kept: the page's storage would not take them. */
const LONGEST = 500_000;

export function draftOf(session: SessionId): string {
  return localStorage.getItem(PREFIX + session) ?? '';
}

export function keepDraft(session: SessionId, text: string): void {
  try {
    if (text === '' || text.length > LONGEST) localStorage.removeItem(PREFIX + session);
    else localStorage.setItem(PREFIX + session, text);
  } catch {
    // The storage is full: the editor itself still has it.
  }
}

/** Forgets what was typed for sessions that are no more. @param there all that there are */
export function keepDraftsOf(
  there: readonly Pick<SessionView, 'id'>[],
  storage: Storage = localStorage,
): void {
  const known = new Set(there.map(({ id }) => PREFIX + id));
  const keys = Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? '');
  for (const key of keys) if (key.startsWith(PREFIX) && !known.has(key)) storage.removeItem(key);
}
