/** The question before quitting: which sessions end, and what would be lost with each. Pure. */
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

const BUSY = { running: 'an evaluation runs', held: 'an evaluation is held in the debugger' } as const;

/** What is said of the sessions' state. */
const COMES_BACK = {
  true: {
    work: 'What runs, and what is in no file:',
    end: 'The sessions are asleep when Lisp Harbor starts again; once used, each evaluates its definitions again from the history.',
  },
  false: { work: 'What would be lost:', end: 'What was evaluated stays in the history.' },
} as const;

/** @param comeBack whether the next harbor has the sessions again */
export function quitQuestion(
  reason: QuitReason,
  { comeBack, ...load }: { sessions: number; running: number; comeBack: boolean },
  unsavedWork: readonly UnsavedWork[],
): QuitQuestion {
  const why =
    reason === 'quit' ? 'That' : 'Nothing keeps it here without its window, so closing that quits: it';
  const { work, end } = COMES_BACK[`${comeBack}`];
  const found = unsavedWork.length === 0 ? [] : [work, ...lines(unsavedWork), ''];
  return {
    message: 'Quit Lisp Harbor?',
    detail: [`${why} ${whatEnds(load)}.`, ...found, end].join('\n'),
    buttons: [
      ...(unsavedWork.some(isExportable) ? [{ label: 'Export and quit…', answer: 'export' } as const] : []),
      { label: 'Quit', answer: 'quit' },
      { label: 'Keep open', answer: 'stay' },
    ],
  };
}

/** Whether there is anything to write to a file. */
export function isExportable({ unsaved }: UnsavedWork): boolean {
  return unsaved !== null && unsaved.total > 0;
}

function lines(unsavedWork: readonly UnsavedWork[]): string[] {
  const rest = unsavedWork.length - SHOWN_SESSIONS;
  const more = rest > 0 ? [`• and in ${rest} more ${rest === 1 ? 'session' : 'sessions'}`] : [];
  return [...unsavedWork.slice(0, SHOWN_SESSIONS).map((work) => `• ${workText(work)}`), ...more];
}

function workText({ name, busy, unsaved }: UnsavedWork): string {
  const parts = [...(busy ? [BUSY[busy]] : []), ...unsavedText(unsaved)];
  return `${name}: ${parts.join('; ')}`;
}

function unsavedText(unsaved: UnsavedWork['unsaved']): string[] {
  if (unsaved === null) return ['it does not answer, so what it has defined is not known'];
  const { names, total } = unsaved;
  if (total === 0) return [];
  const rest = total > names.length ? [`${total - names.length} more`] : [];
  const defined = total === 1 ? '1 definition is' : `${total} definitions are`;
  return [`${defined} in no file (${listed([...names, ...rest])})`];
}
