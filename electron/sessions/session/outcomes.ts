/** Outcomes that a session makes itself: of what no image ever saw, and of what its image took along; and notes on others. */
import type { SandboxReport } from '../../contract/model';
import { sandboxNote } from '../../contract/sandbox-note';
import type { Image, ImageEnd, ImageOutcome } from '../../images/image';

export function nothingRan(
  outcome: 'interrupted' | 'crashed' | 'refused',
  packageName: string,
  note: string,
): ImageOutcome {
  return { outcome, package: packageName, forms: [], warnings: [], condition: null, notes: [note] };
}

/** Whether somebody else started the image: it goes on when the session has lost it. */
export function isAttached({ sandbox }: Pick<Image, 'sandbox'>): boolean {
  return sandbox.launcher === 'attached';
}

/** An image that was ended on purpose did not crash: its evaluation was interrupted.
 * @param next what becomes of the session, in a sentence */
export function tornAway(outcome: ImageOutcome, end: ImageEnd, next: string): ImageOutcome {
  return { ...outcome, outcome: end.expected ? 'interrupted' : 'crashed', notes: [...outcome.notes, next] };
}

export const CLOSED_MEANWHILE = 'The session was closed, or its harbor ended, while this ran or was held.';

export const COMES_BACK =
  'The image is gone. The next evaluation gets a new one, in which definitions are evaluated again; other state is lost.';

/** What becomes of a session whose image is gone. */
export function afterLoss(image: Pick<Image, 'sandbox' | 'replayer'>): string {
  if (isAttached(image))
    return 'What the server was doing may run on in it. The next evaluation connects again if the server is there; its state may be lost.';
  return image.replayer
    ? COMES_BACK
    : 'The state of this session is lost; the next evaluation gets a fresh image.';
}

/** What every outcome of an image says that nothing confines, until a person has accepted the reason. */
export function sandboxNotes(
  { confined, reason = 'no sandbox on this system' }: SandboxReport,
  accepted: readonly string[],
): string[] {
  return confined || accepted.includes(reason) ? [] : [sandboxNote(reason)];
}

/** Why an image is lost, after the word "because". */
export function whyLost({ expected, description }: ImageEnd, attached: boolean): string {
  if (!expected) return description;
  const how = attached ? 'closing the connection to its server' : 'ending its image';
  return `an evaluation could only be stopped by ${how}`;
}

/** Told once to whoever evaluates next. */
export function trustTagsAllowed(names: readonly string[]): string {
  return `A person has allowed certified books of the system to use these trust tags: ${names.join(', ')}. What rests on one says so.`;
}

/** Told once to whoever evaluates next; the results say it themselves from then on. */
export const RAW_LISP_ALLOWED =
  'A person has allowed trust tags and raw Lisp in this session: until its image ends, none of its results can be believed.';
