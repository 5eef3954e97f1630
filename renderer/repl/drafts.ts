/**
 * Unsent input by session, saved as the user types, so that it survives a reload or crash of the page and the
 * end of the session. Drafts of ended sessions remain until the user inserts or discards them.
 */

import type { EngineName, SessionId, SessionView } from '../../electron/contract/model';
import { wordsOf } from '../../electron/words/words';
import { subscribe } from '../bridge';
import { engineTitle } from '../parts/format';
import type { Services } from '../services';

const PREFIX = 'draft:';

/** Maximum length of a saved draft. The storage of a page is limited. */
const LONGEST = 500_000;

type DraftSession = Pick<SessionView, 'id' | 'name' | 'engine'>;

interface Draft {
  text: string;
  /** The name and engine of the session. */
  name: string;
  engine: EngineName;
  /** The time of the last change. */
  at: number;
}

interface OrphanedDraft extends Draft {
  session: SessionId;
}

export function draftOf(session: SessionId, storage: Storage = localStorage): string {
  return read(PREFIX + session, storage)?.text ?? '';
}

export function saveDraft(
  { id, name, engine }: DraftSession,
  text: string,
  storage: Storage = localStorage,
): void {
  const draft: Draft = { text, name, engine, at: Date.now() };
  try {
    if (text === '' || text.length > LONGEST) dropDraft(id, storage);
    else storage.setItem(PREFIX + id, JSON.stringify(draft));
  } catch {
    // The storage is full. The editor still contains the text.
  }
}

export function dropDraft(session: SessionId, storage: Storage = localStorage): void {
  storage.removeItem(PREFIX + session);
}

/**
 * Returns the drafts of ended sessions, newest first.
 * @param there all sessions that the page knows
 */
export function orphanedDrafts(
  there: ReadonlyMap<SessionId, Pick<SessionView, 'state'>>,
  storage: Storage = localStorage,
): OrphanedDraft[] {
  const keys = Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? '');
  return keys
    .filter((key) => key.startsWith(PREFIX))
    .map((key) => ({ key, session: key.slice(PREFIX.length) }))
    .filter(({ session }) => (there.get(session)?.state ?? 'ended') === 'ended')
    .flatMap(({ key, session }) => {
      const draft = read(key, storage);
      return draft && draft.text.trim() !== '' ? [{ ...draft, session }] : [];
    })
    .toSorted((one, other) => other.at - one.at);
}

function read(key: string, storage: Storage): Draft | null {
  try {
    return JSON.parse(storage.getItem(key) ?? 'null') as Draft | null;
  } catch {
    return null;
  }
}

/**
 * Saves the unsent and unread input of a session when it ends. Shows a message unless the session is shown.
 */
export function saveDraftsOfEndedSessions({ live, route, toasts, language }: Services): void {
  subscribe('session:ended', ({ session, unread }) => {
    const ended = live.getState().sessions.get(session);
    const text = [unread, draftOf(session)].filter((each) => each.trim() !== '').join('\n');
    if (!ended || text === '') return;
    saveDraft(ended, text);
    const { view, session: shown } = route.getState();
    if (view === 'sessions' && shown === session) return;
    toasts.done(wordsOf(language.getState()).messages.draftLeft(ended.name, engineTitle(ended.engine)));
  });
}
