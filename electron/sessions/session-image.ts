/** The image of a session, and those that take its place when it is gone: they are counted, and callers are told why. */
import type { Image, ImageEnd } from '../images/image';
import { freshness, isAttached, whyLost } from './outcomes';

export class SessionImage {
  readonly #start: () => Promise<Image>;
  readonly #onLost: () => void;
  readonly #news: string[] = [];
  #current: Image;
  #generation = 1;
  #lostBecause = 'its image ended';

  /** @param onLost called whenever the current image is found to be gone */
  constructor(image: Image, start: () => Promise<Image>, onLost: () => void) {
    this.#start = start;
    this.#onLost = onLost;
    this.#current = image;
    this.#introduce(image);
    this.#watch(image);
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

  /** What the next evaluation's caller must be told, once. */
  takeNews(): string[] {
    return this.#news.splice(0);
  }

  /** Starts an image in place of the lost one. @throws HarborError as `Engine.start` does */
  async replace(): Promise<void> {
    this.#current = await this.#start();
    this.#watch(this.#current);
    this.#generation += 1;
    this.#news.push(freshness(this.#generation, this.#lostBecause, isAttached(this.#current)));
    this.#introduce(this.#current);
  }

  /** Ends the current image; `because` is what the next evaluation is told. */
  async giveUp(because: string): Promise<void> {
    await this.#current.end();
    this.lose(await this.#current.ended);
    this.#lostBecause = because;
  }

  lose(end: ImageEnd): void {
    this.#lostBecause = whyLost(end, isAttached(this.#current));
    this.#onLost();
  }

  #introduce({ introduction }: Image): void {
    if (introduction !== undefined) this.#news.push(introduction);
  }

  #watch(image: Image): void {
    void image.ended.then((end) => {
      if (image === this.#current) this.lose(end);
    });
  }
}
