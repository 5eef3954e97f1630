/** The question before quitting: which sessions end, and what each would lose. */
import { setTimeout as delay } from 'node:timers/promises';
import { asFailure } from '../contract/errors';
import type { Findings } from '../contract/knowledge';
import type { SessionChanges } from '../sessions/changes/session-changes';
import { nothingUnsaved } from '../sessions/export/session-source';
import type { Session } from '../sessions/session/session';
import type { Words } from '../words/words';
import { endingSessionsText, joinNames } from './tray-items';

/** Unsaved work of a session. */
export interface UnsavedWork {
  session: string;
  name: string;
  /** An evaluation that runs or is suspended in the debugger, which would be aborted. */
  busy: 'running' | 'held' | null;
  /** Definitions that are in no file, some of them by name; null if the image did not answer in time. */
  unsaved: { names: readonly string[]; total: number } | null;
}

export type QuitAnswer = 'export' | 'quit' | 'stay';

export interface QuitQuestion {
  message: string;
  detail: string;
  buttons: readonly { label: string; answer: QuitAnswer }[];
}

/** The user quits, or closes a window without which the harbor does not continue. */
export type QuitReason = 'quit' | 'close';

/** Maximum number of sessions that the dialog lists. */
const SHOWN_SESSIONS = 8;

/** Returns the texts of the dialog. @param comeBack whether the sessions are restored at the next start */
export function quitQuestion(
  reason: QuitReason,
  { comeBack, ...load }: { sessions: number; running: number; comeBack: boolean },
  unsavedWork: readonly UnsavedWork[],
  words: Words,
): QuitQuestion {
  const { dialogs } = words;
  const why = (reason === 'quit' ? dialogs.quitWhy : dialogs.closeWhy)(endingSessionsText(load, words));
  const work = comeBack ? dialogs.comesBack : dialogs.lost;
  const found = unsavedWork.length === 0 ? [] : [work, ...lines(unsavedWork, words), ''];
  return {
    message: dialogs.quitTitle,
    detail: [why, ...found, comeBack ? dialogs.comesBackEnd : dialogs.lostEnd].join('\n'),
    buttons: [
      ...(unsavedWork.some(isExportable)
        ? [{ label: dialogs.exportAndQuit, answer: 'export' } as const]
        : []),
      { label: dialogs.quit, answer: 'quit' },
      { label: dialogs.keepOpen, answer: 'stay' },
    ],
  };
}

/** Reports whether there is anything to write to a file. */
export function isExportable({ unsaved }: UnsavedWork): boolean {
  return unsaved !== null && unsaved.total > 0;
}

function lines(unsavedWork: readonly UnsavedWork[], words: Words): string[] {
  const rest = unsavedWork.length - SHOWN_SESSIONS;
  const more = rest > 0 ? [words.dialogs.moreSessions(rest)] : [];
  const listedWork = unsavedWork.slice(0, SHOWN_SESSIONS).map((work) => workText(work, words));
  return [...listedWork, ...more].map((line) => `• ${line}`);
}

function workText({ name, busy, unsaved }: UnsavedWork, words: Words): string {
  const parts = [...(busy ? [words.dialogs.busy[busy]] : []), ...unsavedText(unsaved, words)];
  return `${name}: ${parts.join(words.dialogs.semicolon)}`;
}

function unsavedText(unsaved: UnsavedWork['unsaved'], words: Words): string[] {
  const { dialogs } = words;
  if (unsaved === null) return [dialogs.noAnswer];
  const { names, total } = unsaved;
  if (total === 0) return [];
  const rest = total > names.length ? [dialogs.more(total - names.length)] : [];
  return [dialogs.unsaved(total, joinNames([...names, ...rest], words))];
}

/** Timeout of an image in milliseconds. An image that is not stuck answers in a few. */
const ANSWER_LIMIT_MS = 2_000;

/** Maximum number of definitions named for a session. */
const SHOWN_NAMES = 6;

/** Returns the unsaved work of the sessions that have any. */
export async function unsavedWorkOf(
  sessions: readonly Session[],
  changes: Pick<SessionChanges, 'unsaved'>,
): Promise<UnsavedWork[]> {
  const unsavedWork = await Promise.all(sessions.map((session) => workOf(session, changes)));
  return unsavedWork.filter(({ busy, unsaved }) => busy !== null || unsaved === null || unsaved.total > 0);
}

async function workOf(session: Session, changes: Pick<SessionChanges, 'unsaved'>): Promise<UnsavedWork> {
  const found = await unsavedIn(session, changes);
  const unsaved = found && { names: found.results.map(({ text }) => text), total: found.total };
  return { session: session.id, name: session.identity.name, busy: busyness(session), unsaved };
}

function busyness({ state }: Session): UnsavedWork['busy'] {
  if (state === 'running' || state === 'starting') return 'running';
  return state === 'debugger' ? 'held' : null;
}

/** Returns null if the image did not answer in time. Definitions in an attached server stay there. */
async function unsavedIn(
  session: Session,
  changes: Pick<SessionChanges, 'unsaved'>,
): Promise<Findings | null> {
  if (session.identity.server) return nothingUnsaved();
  const found = changes
    .unsaved(session, { limit: SHOWN_NAMES })
    .catch((error: unknown) => (asFailure(error).code === 'took_too_long' ? null : nothingUnsaved()));
  return Promise.race([found, delay(ANSWER_LIMIT_MS, null, { ref: false })]);
}
