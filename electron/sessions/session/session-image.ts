/** The image of a session: it is started, restored to the state of its lineage, and replaced when it is lost. */

import type { SandboxReport, SessionView } from '../../contract/model';
import { type Note, sandboxNote } from '../../contract/note';
import type { Image, ImageEnd } from '../../images/image';
import type { ReplayEntry } from '../../images/optional-groups';
import type { Lineage, Lineages } from '../recovery/lineage';
import { beginningNotes, briefNotes, newImageNotes, type Recovery, recover } from '../recovery/recovery';

/** Options of `SessionImage`: how to start images, and where to report about them. */
export interface SessionImageOptions {
  /**
   * Starts an image, from the file of a checkpoint if one is given.
   * @throws HarborError as `Engine.start` does
   */
  start: (checkpoint?: string, programs?: boolean) => Promise<Image>;
  /** Returns the evaluations of a lineage since its checkpoint. */
  recall: (lineage: Lineage) => ReplayEntry[];
  /** Adds notes for the caller of the next evaluation. */
  addNotes: (...notes: readonly Note[]) => void;
  /** Called when the current image is lost, with the reason that follows the word "because". */
  onLost: (because: string) => void;
}

/** The recovery result if no evaluation waits for the image any more. */
const STOPPED: Recovery = { replay: null, problem: 'it was cancelled', died: false };

export class SessionImage {
  readonly #lineages: Lineages;
  readonly #options: SessionImageOptions;
  #current: Image;
  #generation: number;
  #recovering: 'no' | 'soon' | 'now' | 'stopped' = 'no';
  #recoveryNotes: readonly Note[] = [];

  /** @param generation the number of images so far, including `image` unless it is to be restored */
  constructor(image: Image, lineages: Lineages, generation: number, options: SessionImageOptions) {
    this.#current = image;
    this.#generation = generation;
    this.#lineages = lineages;
    this.#options = options;
  }

  get current(): Image {
    return this.#current;
  }

  /** The number of images so far. */
  get generation(): number {
    return this.#generation;
  }

  /** Notes, in full, about the state that the current image began with and its losses; empty if there was none. */
  get recoveryNotes(): readonly Note[] {
    return this.#recoveryNotes;
  }

  /** The state that a new image would begin with. */
  get comesBack(): SessionView['comesBack'] {
    const definitions = this.#current.replayer !== undefined;
    return { checkpoint: this.#lineages.newest.checkpoint?.name ?? null, definitions };
  }

  /**
   * Brings the first image to the state of its lineage and into `packageAfter`. Call it once, before anything
   * else.
   * @throws HarborError as `Engine.start` does
   */
  async begin(packageAfter: string): Promise<void> {
    const lineage = this.#lineages.newest;
    const recovery = await this.#recover(lineage, packageAfter);
    this.#addRecoveryNotes(beginningNotes(lineage, recovery));
  }

  /**
   * Starts an image in place of the lost one. Call `watch` afterwards.
   * @param because why the image was lost
   * @throws HarborError as `Engine.start` does
   */
  async replace(because: string): Promise<void> {
    const packageBefore = this.#current.package;
    this.#recovering = 'soon';
    this.#current = await this.#options.start(this.#lineages.newest.checkpoint?.file);
    await this.restore(packageBefore, because);
  }

  /**
   * Brings the current image, which is new, to the state of the last one.
   * @param because why the last one was lost
   * @throws HarborError as `Engine.start` does
   */
  async restore(packageBefore: string, because: string): Promise<void> {
    const lineage = this.#lineages.newest;
    const recovery = await this.#recover(lineage, packageBefore);
    this.#lineages.startOverFrom(lineage);
    this.#generation += 1;
    const attached = isAttached(this.#current);
    this.#addRecoveryNotes(
      newImageNotes({ generation: this.#generation, lostBecause: because, attached }, lineage, recovery),
    );
  }

  /** Reports when the current image ends. */
  watch(): void {
    const image = this.#current;
    void image.ended.then((end) => {
      if (image === this.#current) this.lose(end);
    });
  }

  /** Reports the loss of the current image. */
  lose(end: ImageEnd): void {
    this.#options.onLost(whyLost(end, isAttached(this.#current)));
  }

  /** Ends the current image and waits for its end. */
  async giveUp(): Promise<void> {
    await this.#current.end();
    this.lose(await this.#current.ended);
  }

  /** Cancels the recovery of definitions: no evaluation waits for the image any more. */
  async stopRecovering(): Promise<void> {
    const running = this.#recovering === 'now';
    if (this.#recovering !== 'no') this.#recovering = 'stopped';
    if (running) await this.#current.end();
  }

  /** Replays the lineage. If that ends the image, starts another one without a replay. */
  async #recover(lineage: Lineage, packageBefore: string): Promise<Recovery> {
    if (this.#recovering === 'stopped') return STOPPED;
    this.#recovering = 'now';
    const recovery = await recover(this.#current, this.#options.recall(lineage), packageBefore);
    this.#recovering = 'no';
    if (recovery.died) this.#current = await this.#options.start(lineage.checkpoint?.file);
    return recovery;
  }

  /** Adds the notes about the current image in brief, with its introduction. */
  #addRecoveryNotes(notes: readonly Note[]): void {
    this.#recoveryNotes = notes;
    this.#options.addNotes(...briefNotes(notes), ...(this.#current.introduction ?? []));
  }
}

/**
 * Reports whether the image is a server that the harbor did not start. It continues after the session lost
 * it.
 */
export function isAttached({ sandbox }: Pick<Image, 'sandbox'>): boolean {
  return sandbox.launcher === 'attached';
}

export const DEFINITIONS_RETURN =
  'The image is gone. The next evaluation gets a new one, in which definitions are evaluated again; other state is lost.';

/** Returns a sentence about the future of a session whose image was lost. */
export function nextAfterLoss(image: Pick<Image, 'sandbox' | 'replayer'>): string {
  if (isAttached(image))
    return 'The server may still be running the evaluation. The next evaluation reconnects if the server is available; its state may be lost.';
  return image.replayer
    ? DEFINITIONS_RETURN
    : 'The state of this session is lost. The next evaluation gets a fresh image.';
}

/**
 * Returns the note that an unconfined image adds to each outcome, unless the user has accepted the reason.
 */
export function sandboxNotes(
  { confined, reason = 'no sandbox on this system' }: SandboxReport,
  accepted: readonly string[],
): Note[] {
  return confined || accepted.includes(reason) ? [] : [sandboxNote(reason)];
}

/** Returns why an image was lost, to follow the word "because". */
function whyLost({ expected, description }: ImageEnd, attached: boolean): string {
  if (!expected) return description;
  const how = attached ? 'closing the connection to its server' : 'ending its image';
  return `an evaluation could only be stopped by ${how}`;
}
