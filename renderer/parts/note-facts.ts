/** Notes in the window, which shows facts. Mentions of tools are for agents. */
import type { Note } from '../../electron/contract/note';

export function noteFacts(notes: readonly Note[] = []): string[] {
  return notes.flatMap(({ text }) => (text === '' ? [] : [text]));
}
