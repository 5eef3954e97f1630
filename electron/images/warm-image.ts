/**
 * An image that was started before anybody asked for it, with a folder of its own. It is as private and as confined as
 * a fresh one, and it stands for one only while what it was made of, and the folders that it was confined to, are what they
 * were.
 */
import { statSync } from 'node:fs';
import type { Engine, Image, StartRequest } from './image';
import type { StartsUnderWay } from './starts-under-way';

/** The folders that each image has for itself. */
export type FoldersOfImage = Pick<StartRequest, 'home' | 'checkpoints'>;

/** What images are started for: those of equal plans may stand for each other. */
export interface ImagePlan {
  engine: Engine;
  /** What the engine is asked for, for a session of these folders. */
  request(folders: FoldersOfImage): StartRequest;
}

/** Where images have their folders, each under the handle of its session. */
export interface ImageFolders {
  make(handle: string): Promise<FoldersOfImage>;
  remove(handle: string): Promise<void>;
}

/** Stand in for the folders of a session where plans are compared. */
const ANY: FoldersOfImage = { home: '/its-own/home', checkpoints: '/its-own/checkpoints' };

/** Equal for plans that ask for the same; all that a request holds is compared. */
export function keyOf({ engine, request }: ImagePlan): string {
  const { launcher, ...rest } = request(ANY);
  return JSON.stringify({ engine: engine.name, launcher: launcher.sandbox, ...rest });
}

export class WarmImage {
  readonly handle: string;
  readonly image: Image;
  readonly #plan: ImagePlan;
  readonly #folders: ImageFolders;
  readonly #confinedTo: string | null;
  #gone = false;
  #bytes: Promise<number> | null = null;

  /** @throws HarborError as `starts` does; no folder is left then */
  static async start(
    plan: ImagePlan,
    handle: string,
    folders: ImageFolders,
    starts: StartsUnderWay,
  ): Promise<WarmImage> {
    const before = foldersOf(plan);
    try {
      const image = await starts.start(plan.engine, plan.request(await folders.make(handle)));
      // Folders that moved meanwhile: nobody knows to which of them it is confined.
      const moved = foldersOf(plan) !== before;
      const confinedTo = moved ? null : placesOf(plan);
      return new WarmImage({ plan, handle, folders, image, confinedTo });
    } catch (error) {
      await folders.remove(handle);
      throw error;
    }
  }

  private constructor(started: {
    plan: ImagePlan;
    handle: string;
    folders: ImageFolders;
    image: Image;
    confinedTo: string | null;
  }) {
    this.handle = started.handle;
    this.image = started.image;
    this.#plan = started.plan;
    this.#folders = started.folders;
    this.#confinedTo = started.confinedTo;
    void started.image.ended.then(() => {
      this.#gone = true;
    });
  }

  /** Whether it lives, and a fresh image would be made of the same, and confined to the very same folders, not to others that
   * came in their place. */
  get stillStands(): boolean {
    const isOutdated = (this.image.outdatedBy ?? null) !== null;
    return !this.#gone && !isOutdated && placesOf(this.#plan) === this.#confinedTo;
  }

  /** What it takes: read once, because it does nothing while it waits. */
  memoryBytes(): Promise<number> {
    this.#bytes ??= this.image.usage().then((usage) => usage?.memoryBytes ?? 0);
    return this.#bytes;
  }

  async discard(): Promise<void> {
    await this.image.end();
    await this.#folders.remove(this.handle);
  }
}

/** With what is kept in them, for which a launcher may have put something there as the image was started. */
function placesOf(plan: ImagePlan): string {
  const { kept = [] } = plan.request(ANY).confinement;
  return [foldersOf(plan), ...kept.map(identity)].join(' ');
}

/** Which folders these are on the file system, whatever their names. */
function foldersOf(plan: ImagePlan): string {
  const { project, confinement } = plan.request(ANY);
  const paths = [project, ...confinement.writable, ...confinement.readable];
  return paths.map(identity).join(' ');
}

/** With when it was made: the number of what was removed is given to what is made next, and an image holds neither. */
function identity(path: string): string {
  try {
    const { dev, ino, birthtimeNs } = statSync(path, { bigint: true });
    return `${dev}:${ino}:${birthtimeNs}`;
  } catch {
    return 'none';
  }
}
