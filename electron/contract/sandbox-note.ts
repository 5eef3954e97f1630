/** The note of every outcome of an image that nothing confines. Who shows a whole session says it once, and not at each outcome. */

const BEGINNING = 'not sandboxed: ';

export function sandboxNote(reason: string): string {
  return `${BEGINNING}${reason}`;
}

export function isSandboxNote(note: string): boolean {
  return note.startsWith(BEGINNING);
}
