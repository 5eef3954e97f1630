/**
 * The image of a session, and those that take its place when it is gone: they are counted, brought to the state of the
 * one before as far as that can be, and callers are told why and what is missing.
 */
import type { SessionView } from '../../contract/model';
import type { ReplayEntry } from '../../images/checkpoints';
import type { Image, ImageEnd } from '../../images/image';
import type { Lineage } from '../recovery/lineage';
import { type Recovery, recover } from '../recovery/recovery';
import { beginning, newImage } from '../recovery/recovery-notes';
import { isAttached, whyLost } from './outcomes';

export interface SessionImageOptions {
  /** Starts an image, from the file of a checkpoint if one is given. @throws HarborError as `Engine.start` does */
  start: (checkpoint?: string) => Promise<Image>;
  /** What has been evaluated in a lineage since its checkpoint. */
  recall: (lineage: Lineage) => ReplayEntry[];
  /** Called whenever the current image is found to be gone. */
  onLost: () => void;
}

/** Nobody waited for what the last image had defined. */
const STOPPED: Recovery = { replay: null, problem: 'it was cancelled', died: false };

export class SessionImage {
  readonly #options: SessionImageOptions;
  readonly #news: string[] = [];
  /** Oldest first. The newest one is what a new image begins from; the others are for when its checkpoint is dropped. */
  #lineages: Lineage[];
  #current: Image;
  #generation = 1;
  #lostBecause = 'its image ended';
  #lost = false;
  #recovering: 'no' | 'soon' | 'now' | 'stopped' = 'no';

  constructor(image: Image, lineage: Lineage, options: SessionImageOptions) {
    this.#options = options;
    this.#lineages = [lineage];
    this.#current = image;
  }

  /** Brings the first image to the state that its lineage tells, and the package `packageAfter`. Once, before anything else.
   * @throws HarborError as `Engine.start` does */
  async begin(packageAfter: string): Promise<void> {
    const recovery = await this.#recover(this.lineage, packageAfter);
    this.#watch(this.#current);
    this.#news.push(...beginning(this.lineage, recovery), ...introduction(this.#current));
  }

  get current(): Image {
    return this.#current;
  }

  /** Counts the images that there have been. */
  get generation(): number {
    return this.#generation;
  }

  /** Why the last one that is gone is gone, after the word "because". */
  get lostBecause(): string {
    return this.#lostBecause;
  }

  get lineage(): Lineage {
    return this.#lineages.at(-1) as Lineage;
  }

  /** What a new image would begin with. */
  get comesBack(): SessionView['comesBack'] {
    const definitions = this.#current.replayer !== undefined;
    return { checkpoint: this.lineage.checkpoint?.name ?? null, definitions };
  }

  /** What the next evaluation's caller must be told. */
  get news(): readonly string[] {
    return this.#news;
  }

  /** Adds a sentence that the next evaluation's caller must be told. */
  tell(note: string): void {
    this.#news.push(note);
  }

  /** The news, which are told once. */
  takeNews(): string[] {
    return this.#news.splice(0);
  }

  /** Starts an image in place of the lost one. @throws HarborError as `Engine.start` does */
  async replace(): Promise<void> {
    const { lineage } = this;
    const packageBefore = this.#current.package;
    this.#recovering = 'soon';
    this.#current = await this.#options.start(lineage.checkpoint?.file);
    const recovery = await this.#recover(lineage, packageBefore);
    this.#watch(this.#current);
    this.#lineages = [lineage];
    this.#generation += 1;
    this.#lost = false;
    const told = {
      generation: this.#generation,
      lostBecause: this.#lostBecause,
      attached: isAttached(this.#current),
    };
    this.#news.push(...newImage(told, lineage, recovery), ...introduction(this.#current));
  }

  /** Gives up bringing definitions back, because nobody waits for them. */
  async stopRecovering(): Promise<void> {
    const running = this.#recovering === 'now';
    if (this.#recovering !== 'no') this.#recovering = 'stopped';
    if (running) await this.#current.end();
  }

  /** Ends the current image; `because` is what the next evaluation is told, `lineage` what the next image begins from. */
  async giveUp(because: string, lineage: Lineage): Promise<void> {
    const alone = !this.#lost;
    await this.#current.end();
    this.lose(await this.#current.ended);
    this.#lostBecause = alone ? because : `${this.#lostBecause}, and ${because}`;
    this.#lineages = [lineage];
  }

  /** The current state has been saved. */
  saved(lineage: Lineage): void {
    this.#lineages.push(lineage);
  }

  /** Whether the current image, or the next one, needs this file and no other will do. */
  needs(file: string): boolean {
    return this.#lineages[0]?.checkpoint?.file === file;
  }

  /** The file is gone. */
  forget(file: string): void {
    this.#lineages = this.#lineages.filter(({ checkpoint }) => checkpoint?.file !== file);
  }

  lose(end: ImageEnd): void {
    this.#lostBecause = whyLost(end, isAttached(this.#current));
    this.#lost = true;
    this.#options.onLost();
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

  #watch(image: Image): void {
    void image.ended.then((end) => {
      if (image === this.#current) this.lose(end);
    });
  }
}

/** What whoever uses the image must know and cannot see from it. */
function introduction({ introduction: sentence }: Image): string[] {
  return sentence === undefined ? [] : [sentence];
}
