/**
 * Keeps images ready for new sessions: as many as recently opened sessions suggest, none after an idle period
 * or if memory is low. A session never waits for the pool; if no image is ready, one is started normally.
 */
import { statSync } from 'node:fs';
import { asFailure, HarborError } from '../contract/errors';
import type { EngineName } from '../contract/model';
import { onAbort } from '../host/listeners';
import type { Launcher } from '../launchers/launcher';
import type { Engine, Image, StartRequest } from './image';

/** Maximum ready images in total. */
const MOST_READY = 8;

/** Maximum ready images for one kind of session. */
const MOST_FOR_ONE_KIND = 4;

/** Milliseconds for which an opened session suggests another one. */
export const REMEMBERED_MS = 10 * 60_000;

/**
 * Milliseconds from opening a session to preparing images for others, so that its first evaluation comes
 * first.
 */
const SETTLE_MS = 50;

/** Milliseconds between two checks of the ready images. */
const LOOK_MS = 60_000;

interface PoolOptions {
  folders: FolderAllocator;
  /** Returns an unused session handle. */
  handle: (engine: EngineName) => string;
  /** Reports whether images may be kept ready now: a setting allows it and there is enough memory. */
  mayKeep: () => Promise<boolean>;
  log: { warn(message: string, details?: unknown): void };
}

/**
 * The ready images of a plan, oldest first, and the times when sessions were opened for it, in milliseconds
 * since the epoch.
 */
interface Stock {
  plan: ImagePlan;
  openedAt: number[];
  ready: WarmImage[];
}

export class ImagePool {
  readonly #options: PoolOptions;
  /** By plan key, least recently used first. */
  readonly #stocks = new Map<string, Stock>();
  readonly #starts = new PendingStarts();
  #timer: NodeJS.Timeout | null = null;
  #maintenance: Promise<void> | null = null;
  #ended = false;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  /**
   * Returns an image that was started for this plan, or null. The caller then owns it, its folder and its
   * handle.
   */
  take(plan: ImagePlan): WarmImage | null {
    if (this.#ended || !plan.engine.startsAhead) return null;
    const stock = this.#stockFor(plan);
    stock.openedAt.push(Date.now());
    for (let ready = stock.ready.shift(); ready; ready = stock.ready.shift()) {
      if (ready.isCurrent) return ready;
      void ready.discard();
    }
    return null;
  }

  /** Prepares more images after a short delay. Call it after a session was opened or failed to open. */
  restock(): void {
    this.#scheduleMaintenance(SETTLE_MS);
  }

  /** Returns the number of ready images and their memory in bytes. */
  async usage(): Promise<{ images: number; bytes: number }> {
    const ready = [...this.#stocks.values()].flatMap((stock) => stock.ready);
    const bytes = await Promise.all(ready.map((image) => image.memoryBytes()));
    return { images: bytes.length, bytes: bytes.reduce((sum, each) => sum + each, 0) };
  }

  /** Ends all ready images and the one being started. No other is started. */
  async end(): Promise<void> {
    this.#ended = true;
    if (this.#timer) clearTimeout(this.#timer);
    this.#starts.abortAll();
    await this.#maintenance;
    await discardAll([...this.#stocks.values()].flatMap(({ ready }) => ready.splice(0)));
  }

  #stockFor(plan: ImagePlan): Stock {
    const key = keyOf(plan);
    const stock = this.#stocks.get(key) ?? { plan, openedAt: [], ready: [] };
    this.#stocks.delete(key);
    this.#stocks.set(key, stock);
    return stock;
  }

  /** The timer does not keep the process running. */
  #scheduleMaintenance(milliseconds: number): void {
    if (this.#ended || this.#maintenance !== null) return;
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#maintenance = this.#maintain().finally(() => {
        this.#maintenance = null;
        if (this.#stocks.size > 0) this.#scheduleMaintenance(LOOK_MS);
      });
    }, milliseconds).unref();
  }

  /** Starts and ends images one at a time, so that other work comes first. */
  async #maintain(): Promise<void> {
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

  /** Distributes `room` images among the stocks, most recently used first. Removes unused stocks. */
  #allot(room: number): { stock: Stock; images: number }[] {
    let remaining = room;
    const allotted: { stock: Stock; images: number }[] = [];
    for (const [key, stock] of [...this.#stocks].reverse()) {
      stock.openedAt = recent(stock.openedAt, Date.now());
      const images = Math.min(remaining, wanted(stock.openedAt));
      remaining -= images;
      allotted.push({ stock, images });
      if (stock.openedAt.length === 0) this.#stocks.delete(key);
    }
    return allotted;
  }

  /** Removes a plan whose image does not start, until it is requested again. */
  async #add(stock: Stock): Promise<void> {
    const { handle, folders, log } = this.#options;
    try {
      const warm = await WarmImage.start(stock.plan, handle(stock.plan.engine.name), folders, this.#starts);
      stock.ready.push(warm);
      void warm.image.ended.then(() => this.#drop(stock, warm));
    } catch (error) {
      stock.openedAt = [];
      if (!this.#ended) log.warn('An image could not be started in advance', asFailure(error).message);
    }
  }

  /** Removes an image that ended while it waited. */
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

/** Returns the times that still count at `now`. Pure. */
export function recent(openedAt: readonly number[], now: number): number[] {
  return openedAt.filter((at) => now - at < REMEMBERED_MS);
}

/** Returns how many images to keep ready: one for each doubling of the number of sessions. Pure. */
export function wanted(openedAt: readonly number[]): number {
  return Math.min(MOST_FOR_ONE_KIND, Math.floor(Math.log2(openedAt.length + 1)));
}

/** The private folders of an image. */
type PrivateFolders = Pick<StartRequest, 'home' | 'checkpoints'>;

/** The image to start. Images of equal plans can replace each other. */
export interface ImagePlan {
  engine: Engine;
  /** Returns the start request for a session with these folders. */
  request(folders: PrivateFolders): StartRequest;
}

/** Creates and removes the folders of images, named by session handle. */
interface FolderAllocator {
  make(handle: string): Promise<PrivateFolders>;
  remove(handle: string): Promise<void>;
}

/** Replaces the folders of a session when plans are compared. */
const PLACEHOLDER_FOLDERS: PrivateFolders = { home: '/its-own/home', checkpoints: '/its-own/checkpoints' };

/** Returns a key that is equal for plans with the same complete request. */
function keyOf({ engine, request }: ImagePlan): string {
  const { launcher, ...rest } = request(PLACEHOLDER_FOLDERS);
  return JSON.stringify({ engine: engine.name, launcher: launcher.sandbox, ...rest });
}

/**
 * An image that was started in advance, with a folder of its own. It is as isolated as a fresh image, and
 * it can replace one only while its launch fingerprint and the folders that it is confined to are
 * unchanged.
 */
class WarmImage {
  readonly handle: string;
  readonly image: Image;
  readonly #plan: ImagePlan;
  readonly #folders: FolderAllocator;
  readonly #confinedTo: string | null;
  #ended = false;
  #bytes: Promise<number> | null = null;

  /** @throws HarborError as `starts` does, after removing the folder */
  static async start(
    plan: ImagePlan,
    handle: string,
    folders: FolderAllocator,
    starts: PendingStarts,
  ): Promise<WarmImage> {
    const foldersBefore = folderIdentities(plan);
    try {
      const image = await starts.start(plan.engine, plan.request(await folders.make(handle)));
      // If folders were replaced meanwhile, it is unknown to which of them the image is confined.
      const moved = folderIdentities(plan) !== foldersBefore;
      const confinedTo = moved ? null : confinementIdentity(plan);
      return new WarmImage({ plan, handle, folders, image, confinedTo });
    } catch (error) {
      await folders.remove(handle);
      throw error;
    }
  }

  private constructor(started: {
    plan: ImagePlan;
    handle: string;
    folders: FolderAllocator;
    image: Image;
    confinedTo: string | null;
  }) {
    this.handle = started.handle;
    this.image = started.image;
    this.#plan = started.plan;
    this.#folders = started.folders;
    this.#confinedTo = started.confinedTo;
    void started.image.ended.then(() => {
      this.#ended = true;
    });
  }

  /**
   * Whether the image runs and a fresh image would have the same files and be confined to the same folders.
   */
  get isCurrent(): boolean {
    const isOutdated = (this.image.outdatedBy ?? null) !== null;
    return !this.#ended && !isOutdated && confinementIdentity(this.#plan) === this.#confinedTo;
  }

  /** Returns the memory in bytes, read only once because the image is idle. */
  memoryBytes(): Promise<number> {
    this.#bytes ??= this.image.usage().then((usage) => usage?.memoryBytes ?? 0);
    return this.#bytes;
  }

  async discard(): Promise<void> {
    await this.image.end();
    await this.#folders.remove(this.handle);
  }
}

/** Identifies the folders, and the files in them that a launcher may have created at the start. */
function confinementIdentity(plan: ImagePlan): string {
  const { protectedPaths = [] } = plan.request(PLACEHOLDER_FOLDERS).confinement;
  return [folderIdentities(plan), ...protectedPaths.map(identity)].join(' ');
}

/** Identifies the folders on the file system, independent of their names. */
function folderIdentities(plan: ImagePlan): string {
  const { project, confinement } = plan.request(PLACEHOLDER_FOLDERS);
  const paths = [project, ...confinement.writable, ...confinement.readable];
  return paths.map(identity).join(' ');
}

/** Includes the creation time, because inode numbers are reused. */
function identity(path: string): string {
  try {
    const { dev, ino, birthtimeNs } = statSync(path, { bigint: true });
    return `${dev}:${ino}:${birthtimeNs}`;
  } catch {
    return 'none';
  }
}

/**
 * Image starts in progress. On exit the app does not wait for them, because a JVM may need longer to start than the app has to
 * exit: their processes are killed and the starts fail.
 */
export class PendingStarts {
  readonly #starts = new Set<AbortController>();
  #abortReason: HarborError | null = null;

  /** As `Engine.start`. @throws HarborError as that does, and after `abortAll` */
  async start(engine: Engine, request: StartRequest, report?: (doing: string) => void): Promise<Image> {
    if (this.#abortReason) throw this.#abortReason;
    const start = new AbortController();
    this.#starts.add(start);
    try {
      return await engine.start(
        { ...request, launcher: launcherUntil(start.signal, request.launcher) },
        report,
      );
    } finally {
      this.#starts.delete(start);
    }
  }

  /** Aborts starts in progress and all later ones. Started images continue. */
  abortAll(): void {
    this.#abortReason = new HarborError('session_ended', 'The app is exiting. No image is started.');
    for (const start of this.#starts) start.abort(this.#abortReason);
  }
}

/** Returns a launcher that kills its processes when `signal` aborts and then launches no more. */
function launcherUntil(signal: AbortSignal, launcher: Launcher): Launcher {
  return {
    sandbox: launcher.sandbox,
    ...(launcher.machine ? { machine: launcher.machine } : {}),
    launch: (program, confinement) => {
      signal.throwIfAborted();
      const launched = launcher.launch(program, confinement);
      void launched.ended.then(onAbort(signal, () => void launched.signal('SIGKILL')));
      return launched;
    },
  };
}
