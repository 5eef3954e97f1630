/** What callers and people are told of rows that cannot be written now. Pure. */
import type { Waiting } from './writer';

/** For the answer of an evaluation whose row waits. */
export function waitingNote({ because }: Waiting): string {
  return `The history cannot be written now: ${because}. This row waits in memory and is written when that is mended; if the harbor ends before, it is lost.`;
}

/** For an answer in a session of which rows will never be written. */
export function lostNote(count: number): string {
  const rows = count === 1 ? 'One evaluation of this session is' : `${count} evaluations of this session are`;
  return `${rows} missing in the history, which could not be written for too long: what they defined does not come back when the image is replaced, and is in no export.`;
}

/** For the window and the log; null where all is well. */
export function writingNotice(waiting: Waiting | null, lost: number): string | null {
  const gone = lost === 0 ? '' : ` ${lost} found no room there and are lost.`;
  if (waiting !== null)
    return `The history cannot be written: ${waiting.because}. Work goes on; ${waiting.writes} writes wait in memory and are made, in order, when that is mended.${gone}`;
  return lost === 0 ? null : `The history could not be written for a while: ${lost} writes are lost.`;
}

/** For the window and the log, of a file that is not whole. */
export function damageNotice(file: string, verdict: string): string {
  return `The history in ${file} is damaged (${verdict}). Work goes on with what can be read; at the next start it is kept aside and a new one is begun.`;
}
