/** Outcomes that a session makes itself: of what no image ever saw, and of what its image took along; and notes on others. */
import type { SandboxReport } from '../contract/model';
import type { ImageEnd, ImageOutcome } from '../images/image';

export function nothingRan(
  outcome: 'interrupted' | 'crashed' | 'refused',
  packageName: string,
  note: string,
): ImageOutcome {
  return { outcome, package: packageName, forms: [], warnings: [], condition: null, notes: [note] };
}

/** An image that was ended on purpose did not crash: its evaluation was interrupted. `closed`: the session was. */
export function tornAway(outcome: ImageOutcome, end: ImageEnd, closed: boolean): ImageOutcome {
  const note = closed
    ? 'The session was closed while this ran or was held.'
    : 'The state of this session is lost; the next evaluation gets a fresh image.';
  const notes = [...outcome.notes, note];
  return { ...outcome, outcome: end.expected ? 'interrupted' : 'crashed', notes };
}

/** What every outcome of an image says that nothing confines. */
export function sandboxNotes({ confined, reason }: SandboxReport): string[] {
  return confined ? [] : [`not sandboxed: ${reason ?? 'no sandbox on this system'}`];
}

/** What the first outcome of a new image says of the one before. */
export function freshness(generation: number, lostBecause: string): string {
  return `This session is fresh (generation ${generation}) because ${lostBecause}. Its definitions are gone.`;
}

/** Why an image is lost, after the word "because". */
export function whyLost({ expected, description }: ImageEnd): string {
  return expected ? 'an evaluation could only be stopped by ending its image' : description;
}
