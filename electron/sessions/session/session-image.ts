/**
 * The image of a session, and those that take its place when it is gone: they are counted, and brought to the state of the
 * one before as far as that can be.
 */
import type { SessionView } from '../../contract/model';
import type { ReplayEntry } from '../../images/checkpoints';
import type { Image, ImageEnd } from '../../images/image';
import type { Lineage, Lineages } from '../recovery/lineage';
import { type Recovery, recover } from '../recovery/recovery';
import { beginning, newImage } from '../recovery/recovery-notes';
import { isAttached, whyLost } from './outcomes';

export interface SessionImageOptions {
  /** Starts an image, from the file of a checkpoint if one is given. @throws HarborError as `Engine.start` does */
  start: (checkpoint?: string) => Promise<Image>;
  /** What has been evaluated in a lineage since its checkpoint. */
  recall: (lineage: Lineage) => ReplayEntry[];
  /** Hears what the next evaluation's caller must be told of an image. */
  tell: (...notes: string[]) => void;
  /** Hears that the current image is gone, and why, after the word "because". */
  onLost: (because: string) => void;
}

/** Nobody waited for what the last image had defined. */
const STOPPED: Recovery = { replay: null, problem: 'it was cancelled', died: false };

export class SessionImage {
  readonly #lineages: Lineages;
  readonly #options: SessionImageOptions;
  #current: Image;
  #generation: number;
  #recovering: 'no' | 'soon' | 'now' | 'stopped' = 'no';

  /** @param generation how many images there have been, `image` included unless it is to be `restored` */
  constructor(image: Image, lineages: Lineages, generation: number, options: SessionImageOptions) {
    this.#current = image;
    this.#generation = generation;
    this.#lineages = lineages;
    this.#options = options;
  }

  get current(): Image {
    return this.#current;
  }

  /** Counts the images that there have been. */
  get generation(): number {
    return this.#generation;
  }

  /** What a new image would begin with. */
  get comesBack(): SessionView['comesBack'] {
    const definitions = this.#current.replayer !== undefined;
    return { checkpoint: this.#lineages.newest.checkpoint?.name ?? null, definitions };
  }

  /** Brings the first image to the state that its lineage tells, and the package `packageAfter`. Once, before anything else.
   * @throws HarborError as `Engine.start` does */
  async begin(packageAfter: string): Promise<void> {
    const lineage = this.#lineages.newest;
    const recovery = await this.#recover(lineage, packageAfter);
    this.#tell(beginning(lineage, recovery));
  }

  /** Starts an image in place of the one that is gone, which `watch` must be told of.
   * @param because why it is gone
   * @throws HarborError as `Engine.start` does */
  async replace(because: string): Promise<void> {
    const packageBefore = this.#current.package;
    this.#recovering = 'soon';
    this.#current = await this.#options.start(this.#lineages.newest.checkpoint?.file);
    await this.restore(packageBefore, because);
  }

  /** Brings the current image, which is new, to the state of the one before.
   * @param because why that one is gone
   * @throws HarborError as `Engine.start` does */
  async restore(packageBefore: string, because: string): Promise<void> {
    const lineage = this.#lineages.newest;
    const recovery = await this.#recover(lineage, packageBefore);
    this.#lineages.startOverFrom(lineage);
    this.#generation += 1;
    const attached = isAttached(this.#current);
    this.#tell(newImage({ generation: this.#generation, lostBecause: because, attached }, lineage, recovery));
  }

  /** Hears from now on when the current image is gone. */
  watch(): void {
    const image = this.#current;
    void image.ended.then((end) => {
      if (image === this.#current) this.lose(end);
    });
  }

  /** Tells that the current image is gone. */
  lose(end: ImageEnd): void {
    this.#options.onLost(whyLost(end, isAttached(this.#current)));
  }

  /** Ends the current image and waits until it is gone. */
  async giveUp(): Promise<void> {
    await this.#current.end();
    this.lose(await this.#current.ended);
  }

  /** Gives up bringing definitions back, because nobody waits for them. */
  async stopRecovering(): Promise<void> {
    const running = this.#recovering === 'now';
    if (this.#recovering !== 'no') this.#recovering = 'stopped';
    if (running) await this.#current.end();
  }

  /** When that ends the image, another one begins without. */
  async #recover(lineage: Lineage, packageBefore: string): Promise<Recovery> {
    if (this.#recovering === 'stopped') return STOPPED;
    this.#recovering = 'now';
    const recovery = await recover(this.#current, this.#options.recall(lineage), packageBefore);
    this.#recovering = 'no';
    if (recovery.died) this.#current = await this.#options.start(lineage.checkpoint?.file);
    return recovery;
  }

  /** What is to be told of the current image, and what whoever uses it must know and cannot see from it. */
  #tell(notes: readonly string[]): void {
    const { introduction } = this.#current;
    this.#options.tell(...notes, ...(introduction === undefined ? [] : [introduction]));
  }
}
