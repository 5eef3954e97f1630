/** Outcomes that a session makes itself: of what no image ever saw, and of what its image took along; and notes on others. */
import type { SandboxReport } from '../contract/model';
import type { Image, ImageEnd, ImageOutcome } from '../images/image';

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

/** An image that was ended on purpose did not crash: its evaluation was interrupted. */
export function tornAway(
  outcome: ImageOutcome,
  end: ImageEnd,
  session: { closed: boolean; attached: boolean },
): ImageOutcome {
  const note = session.closed
    ? 'The session was closed while this ran or was held.'
    : WHAT_IS_LOST[session.attached ? 'attached' : 'started'];
  const notes = [...outcome.notes, note];
  return { ...outcome, outcome: end.expected ? 'interrupted' : 'crashed', notes };
}

const WHAT_IS_LOST = {
  started: 'The state of this session is lost; the next evaluation gets a fresh image.',
  attached:
    'What the server was doing may run on in it. The next evaluation connects again if the server is there; its state may be lost.',
} as const;

/** What every outcome of an image says that nothing confines. */
export function sandboxNotes({ confined, reason }: SandboxReport): string[] {
  return confined ? [] : [`not sandboxed: ${reason ?? 'no sandbox on this system'}`];
}

/** What the first outcome of a new image says of the one before. */
export function freshness(generation: number, lostBecause: string, attached: boolean): string {
  if (attached)
    return `This session was connected again (generation ${generation}) because ${lostBecause}. If the server was restarted meanwhile, its definitions are gone.`;
  return `This session is fresh (generation ${generation}) because ${lostBecause}. Its definitions are gone.`;
}

/** Why an image is lost, after the word "because". */
export function whyLost({ expected, description }: ImageEnd, attached: boolean): string {
  if (!expected) return description;
  const how = attached ? 'closing the connection to its server' : 'ending its image';
  return `an evaluation could only be stopped by ${how}`;
}
