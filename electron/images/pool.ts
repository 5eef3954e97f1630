/**
 * Images kept ready for sessions to come: as many as were opened of late suggest, none after a quiet while, and none
 * when memory is short. No session waits for the pool; what it does not have is started as ever.
 */
import { asFailure } from '../contract/errors';
import type { EngineName } from '../contract/model';
import { StartsUnderWay } from './starts-under-way';
import { type ImageFolders, type ImagePlan, keyOf, WarmImage } from './warm-image';

/** Images ready of all kinds together at most. */
const MOST_READY = 8;

/** Images ready for one kind of session at most. */
const MOST_FOR_ONE_KIND = 4;

/** Milliseconds for which a session that was opened is a reason to expect another one. */
export const REMEMBERED_MS = 10 * 60_000;

/** Milliseconds after a session was opened before images get ready for others: its first evaluation comes first. */
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

/** The images ready for one plan, oldest first, and when sessions were opened for it: milliseconds since the epoch. */
interface Stock {
  plan: ImagePlan;
  openedAt: number[];
  ready: WarmImage[];
}

export class ImagePool {
  readonly #options: PoolOptions;
  /** By the keys of their plans; the one used last stands last. */
  readonly #stocks = new Map<string, Stock>();
  readonly #starts = new StartsUnderWay();
  #timer: NodeJS.Timeout | null = null;
  #tending: Promise<void> | null = null;
  #ended = false;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  /** An image that was started for just this, or null. It is the caller's from now on, with its folder and its handle. */
  take(plan: ImagePlan): WarmImage | null {
    if (this.#ended || !plan.engine.startsAhead) return null;
    const stock = this.#stockFor(plan);
    stock.openedAt.push(Date.now());
    for (let ready = stock.ready.shift(); ready; ready = stock.ready.shift()) {
      if (ready.stillStands) return ready;
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
    const ready = [...this.#stocks.values()].flatMap((stock) => stock.ready);
    const bytes = await Promise.all(ready.map((image) => image.memoryBytes()));
    return { images: bytes.length, bytes: bytes.reduce((sum, each) => sum + each, 0) };
  }

  /** Ends all that are ready, and one that is just being started; none is started after. */
  async end(): Promise<void> {
    this.#ended = true;
    if (this.#timer) clearTimeout(this.#timer);
    this.#starts.giveUp();
    await this.#tending;
    await discardAll([...this.#stocks.values()].flatMap(({ ready }) => ready.splice(0)));
  }

  #stockFor(plan: ImagePlan): Stock {
    const key = keyOf(plan);
    const stock = this.#stocks.get(key) ?? { plan, openedAt: [], ready: [] };
    this.#stocks.delete(key);
    this.#stocks.set(key, stock);
    return stock;
  }

  /** The timer keeps no process alive. */
  #tendIn(milliseconds: number): void {
    if (this.#ended || this.#tending !== null) return;
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#tending = this.#tend().finally(() => {
        this.#tending = null;
        if (this.#stocks.size > 0) this.#tendIn(LOOK_MS);
      });
    }, milliseconds).unref();
  }

  /** Brings what is ready to what is wanted, one image after another: whoever works meanwhile comes first. */
  async #tend(): Promise<void> {
    for (;;) {
      const mayKeep = await this.#options.mayKeep();
      if (this.#ended) return;
      const allotted = this.#allot(mayKeep ? MOST_READY : 0);
      await discardAll(allotted.flatMap(({ stock, images }) => stock.ready.splice(images)));
      const next = allotted.find(({ stock, images }) => stock.ready.length < images);
      if (!next) return;
      await this.#add(next.stock);
    }
  }

  /** How many of `room` images each stock gets, the one used last first. A stock that nobody uses is forgotten. */
  #allot(room: number): { stock: Stock; images: number }[] {
    let left = room;
    const allotted: { stock: Stock; images: number }[] = [];
    for (const [key, stock] of [...this.#stocks].reverse()) {
      stock.openedAt = recent(stock.openedAt, Date.now());
      const images = Math.min(left, wanted(stock.openedAt));
      left -= images;
      allotted.push({ stock, images });
      if (stock.openedAt.length === 0) this.#stocks.delete(key);
    }
    return allotted;
  }

  /** A plan for which no image can be started is given up until it is asked for again. */
  async #add(stock: Stock): Promise<void> {
    const { handle, folders, log } = this.#options;
    try {
      const warm = await WarmImage.start(stock.plan, handle(stock.plan.engine.name), folders, this.#starts);
      stock.ready.push(warm);
      void warm.image.ended.then(() => this.#drop(stock, warm));
    } catch (error) {
      stock.openedAt = [];
      if (!this.#ended) log.warn('An image could not be got ready', asFailure(error).message);
    }
  }

  /** One that died while it waited is nobody's loss. */
  #drop(stock: Stock, warm: WarmImage): void {
    const place = stock.ready.indexOf(warm);
    if (place < 0) return;
    stock.ready.splice(place, 1);
    void warm.discard();
  }
}

async function discardAll(images: readonly WarmImage[]): Promise<void> {
  await Promise.allSettled(images.map((image) => image.discard()));
}

/** Those times that still count at `now`. Pure. */
export function recent(openedAt: readonly number[], now: number): number[] {
  return openedAt.filter((at) => now - at < REMEMBERED_MS);
}

/** How many images to keep ready: none where no session was opened; twice as many sessions are a reason for one more. Pure. */
export function wanted(openedAt: readonly number[]): number {
  return Math.min(MOST_FOR_ONE_KIND, Math.floor(Math.log2(openedAt.length + 1)));
}
