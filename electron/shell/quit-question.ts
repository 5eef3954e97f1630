/** The question before quitting: which sessions end, and what would be lost with each. Pure. */
import type { Words } from '../words/words';
import { listed, whatEnds } from './tray-items';

/** What a session would lose. */
export interface UnsavedWork {
  session: string;
  name: string;
  /** Whether an evaluation runs or is held in the debugger: it would be given up. */
  busy: 'running' | 'held' | null;
  /** Definitions that no file holds, a few of them by name; null when its image did not say in time. */
  unsaved: { names: readonly string[]; total: number } | null;
}

export type QuitAnswer = 'export' | 'quit' | 'stay';

export interface QuitQuestion {
  message: string;
  detail: string;
  buttons: readonly { label: string; answer: QuitAnswer }[];
}

/** Why the question is asked: a person quits, or closes a window without which the harbor does not go on. */
export type QuitReason = 'quit' | 'close';

/** As many sessions as a dialog has room for. */
const SHOWN_SESSIONS = 8;

/** @param comeBack whether the next harbor has the sessions again */
export function quitQuestion(
  reason: QuitReason,
  { comeBack, ...load }: { sessions: number; running: number; comeBack: boolean },
  unsavedWork: readonly UnsavedWork[],
  words: Words,
): QuitQuestion {
  const { dialogs } = words;
  const why = (reason === 'quit' ? dialogs.quitWhy : dialogs.closeWhy)(whatEnds(load, words));
  const work = comeBack ? dialogs.comesBack : dialogs.lost;
  const found = unsavedWork.length === 0 ? [] : [work, ...lines(unsavedWork, words), ''];
  return {
    message: dialogs.quitAsked,
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

/** Whether there is anything to write to a file. */
export function isExportable({ unsaved }: UnsavedWork): boolean {
  return unsaved !== null && unsaved.total > 0;
}

function lines(unsavedWork: readonly UnsavedWork[], words: Words): string[] {
  const rest = unsavedWork.length - SHOWN_SESSIONS;
  const more = rest > 0 ? [words.dialogs.moreSessions(rest)] : [];
  const told = unsavedWork.slice(0, SHOWN_SESSIONS).map((work) => workText(work, words));
  return [...told, ...more].map((line) => `• ${line}`);
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
  return [dialogs.unsaved(total, listed([...names, ...rest], words))];
}
