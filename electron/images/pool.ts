/**
 * Images kept ready for sessions to come: as many as were opened of late suggest, none after a quiet while, and none
 * when memory is short. No session waits for the pool; what it does not have is started as ever.
 */
import { asFailure } from '../contract/errors';
import type { EngineName } from '../contract/model';
import { recent, wanted } from './demand';
import { StartsUnderWay } from './starts-under-way';
import { type ImageFolders, type ImagePlan, keyOf, WarmImage } from './warm-image';

/** Images ready of all kinds together at most. */
const MOST_READY = 8;

/** Milliseconds after an opening before others get ready: its first evaluation comes first. */
const SETTLE_MS = 50;

/** Milliseconds between two looks at whether images that are ready are still wanted. */
const LOOK_MS = 60_000;

export interface PoolOptions {
  folders: ImageFolders;
  /** A handle that no session has. */
  handle: (engine: EngineName) => string;
  /** Whether images may be kept ready now: a person allows it and there is memory for them. */
  mayKeep: () => Promise<boolean>;
  log: { warn(message: string, details?: unknown): void };
}

/** The images ready for one plan, oldest first, and when sessions were opened for it. */
interface Shelf {
  plan: ImagePlan;
  openings: number[];
  ready: WarmImage[];
}

export class ImagePool {
  readonly #options: PoolOptions;
  /** The one used last stands last. */
  readonly #shelves = new Map<string, Shelf>();
  readonly #starts = new StartsUnderWay();
  #timer: NodeJS.Timeout | null = null;
  #tending: Promise<void> | null = null;
  #ended = false;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  /** An image that was started for just this, or null. It is the caller's from now on, with its folder and its handle. */
  async take(plan: ImagePlan): Promise<WarmImage | null> {
    if (this.#ended || !plan.engine.startsAhead) return null;
    const shelf = this.#shelfFor(plan);
    shelf.openings.push(Date.now());
    for (let ready = shelf.ready.shift(); ready; ready = shelf.ready.shift()) {
      if (await ready.stillStands()) return ready;
      void ready.discard();
    }
    return null;
  }

  /** A session has been opened, or could not be: in a while images get ready for more. */
  restock(): void {
    this.#tendIn(SETTLE_MS);
  }

  /** How many images are ready, and what they take in bytes. */
  async usage(): Promise<{ images: number; bytes: number }> {
    const ready = [...this.#shelves.values()].flatMap((shelf) => shelf.ready);
    const usages = await Promise.all(ready.map(({ image }) => image.usage()));
    return {
      images: usages.length,
      bytes: usages.reduce((sum, usage) => sum + (usage?.memoryBytes ?? 0), 0),
    };
  }

  /** Ends all that are ready, and one that is just being started; none is started after. */
  async end(): Promise<void> {
    this.#ended = true;
    if (this.#timer) clearTimeout(this.#timer);
    this.#starts.giveUp();
    await this.#tending;
    await discardAll([...this.#shelves.values()].flatMap(({ ready }) => ready.splice(0)));
  }

  #shelfFor(plan: ImagePlan): Shelf {
    const key = keyOf(plan);
    const shelf = this.#shelves.get(key) ?? { plan, openings: [], ready: [] };
    this.#shelves.delete(key);
    this.#shelves.set(key, shelf);
    return shelf;
  }

  /** The timer keeps no process alive. */
  #tendIn(milliseconds: number): void {
    if (this.#ended || this.#tending !== null) return;
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#tending = this.#tend().finally(() => {
        this.#tending = null;
        if (this.#shelves.size > 0) this.#tendIn(LOOK_MS);
      });
    }, milliseconds).unref();
  }

  /** Brings what is ready to what is wanted, one image after another: whoever works meanwhile comes first. */
  async #tend(): Promise<void> {
    for (;;) {
      const mayKeep = await this.#options.mayKeep();
      if (this.#ended) return;
      const allotted = this.#allot(mayKeep ? MOST_READY : 0);
      await discardAll(allotted.flatMap(({ shelf, images }) => shelf.ready.splice(images)));
      const next = allotted.find(({ shelf, images }) => shelf.ready.length < images);
      if (!next) return;
      await this.#add(next.shelf);
    }
  }

  /** How many images each shelf gets of `room`, the one used last first; those that nobody uses are forgotten. */
  #allot(room: number): { shelf: Shelf; images: number }[] {
    let left = room;
    const allotted: { shelf: Shelf; images: number }[] = [];
    for (const [key, shelf] of [...this.#shelves].reverse()) {
      shelf.openings = recent(shelf.openings, Date.now());
      const images = Math.min(left, wanted(shelf.openings));
      left -= images;
      allotted.push({ shelf, images });
      if (shelf.openings.length === 0) this.#shelves.delete(key);
    }
    return allotted;
  }

  /** A plan for which no image can be started is given up until it is asked for again. */
  async #add(shelf: Shelf): Promise<void> {
    const { handle, folders, log } = this.#options;
    try {
      const warm = await WarmImage.start(shelf.plan, handle(shelf.plan.engine.name), folders, this.#starts);
      shelf.ready.push(warm);
      void warm.image.ended.then(() => this.#drop(shelf, warm));
    } catch (error) {
      shelf.openings = [];
      if (!this.#ended) log.warn('An image could not be got ready', asFailure(error).message);
    }
  }

  /** One that died while it waited is nobody's loss. */
  #drop(shelf: Shelf, warm: WarmImage): void {
    const place = shelf.ready.indexOf(warm);
    if (place < 0) return;
    shelf.ready.splice(place, 1);
    void warm.discard();
  }
}

async function discardAll(images: readonly WarmImage[]): Promise<void> {
  await Promise.allSettled(images.map((image) => image.discard()));
}
