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

/** An image that was ended on purpose did not crash: its evaluation was interrupted.
 * @param next what becomes of the session, in a sentence */
export function tornAway(outcome: ImageOutcome, end: ImageEnd, next: string): ImageOutcome {
  return { ...outcome, outcome: end.expected ? 'interrupted' : 'crashed', notes: [...outcome.notes, next] };
}

export const CLOSED_MEANWHILE = 'The session was closed while this ran or was held.';

/** What becomes of a session whose image is gone. `replays`: whether its engine evaluates definitions again. */
export function afterLoss(replays: boolean): string {
  return replays
    ? 'The image is gone. The next evaluation gets a new one, in which definitions are evaluated again; other state is lost.'
    : 'The state of this session is lost; the next evaluation gets a fresh image.';
}

/** What every outcome of an image says that nothing confines. */
export function sandboxNotes({ confined, reason }: SandboxReport): string[] {
  return confined ? [] : [`not sandboxed: ${reason ?? 'no sandbox on this system'}`];
}

/** Why an image is lost, after the word "because". */
export function whyLost({ expected, description }: ImageEnd): string {
  return expected ? 'an evaluation could only be stopped by ending its image' : description;
}
