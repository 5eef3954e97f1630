/**
 * What was typed and not sent, by session: kept as it is typed, so that neither a reload or a crash of the page nor the end of
 * its session loses it. What was typed for a session that is no more is there until a person takes it over or discards it.
 */
import type { EngineName, SessionId, SessionView } from '../../electron/contract/model';

const PREFIX = 'draft:';

/** Longer ones are not kept: the page's storage would not take them. */
const LONGEST = 500_000;

type DraftSession = Pick<SessionView, 'id' | 'name' | 'engine'>;

interface Draft {
  text: string;
  /** The name of its session, and of what engine that is. */
  name: string;
  engine: EngineName;
  /** When it was written. */
  at: number;
}

export interface LeftDraft extends Draft {
  session: SessionId;
}

export function draftOf(session: SessionId, storage: Storage = localStorage): string {
  return read(PREFIX + session, storage)?.text ?? '';
}

export function keepDraft(
  { id, name, engine }: DraftSession,
  text: string,
  storage: Storage = localStorage,
): void {
  const draft: Draft = { text, name, engine, at: Date.now() };
  try {
    if (text === '' || text.length > LONGEST) dropDraft(id, storage);
    else storage.setItem(PREFIX + id, JSON.stringify(draft));
  } catch {
    // The storage is full: the editor itself still has it.
  }
}

export function dropDraft(session: SessionId, storage: Storage = localStorage): void {
  storage.removeItem(PREFIX + session);
}

/** Those for sessions that are no more, the newest first. @param there all sessions that the page knows */
export function leftDrafts(
  there: ReadonlyMap<SessionId, Pick<SessionView, 'state'>>,
  storage: Storage = localStorage,
): LeftDraft[] {
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
