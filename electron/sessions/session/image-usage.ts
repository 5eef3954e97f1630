/** What the process of a session's image takes, as it was read last. */
import type { SessionView } from '../../contract/model';
import type { Image } from '../../images/image';
import type { Usage } from '../../launchers/launcher';

export class ImageUsage {
  readonly #image: () => Image | null;
  #usage: Usage | null = null;

  /** @param image the one that the session has just now */
  constructor(image: () => Image | null) {
    this.#image = image;
  }

  get view(): Pick<SessionView, 'pid' | 'memoryBytes'> {
    return { pid: this.#usage?.pid ?? null, memoryBytes: this.#usage?.memoryBytes ?? null };
  }

  async refresh(): Promise<void> {
    const image = this.#image();
    const usage = (await image?.usage()) ?? null;
    // By now that image may be gone, and another in its place.
    this.#usage = image === this.#image() ? usage : null;
  }

  forget(): void {
    this.#usage = null;
  }
}

/** What the view of a session tells of its image alone: where it is, and what it can do beside evaluating. */
export function imageView(
  image: Image,
): Pick<SessionView, 'package' | 'sandbox' | 'checkpoints' | 'slime' | 'world' | 'rawLisp'> {
  return {
    package: image.package,
    sandbox: image.sandbox,
    checkpoints: image.checkpoints !== undefined,
    slime: image.slime !== undefined,
    world: image.world !== undefined,
    ...(image.rawLisp ? { rawLisp: image.rawLisp.allowed } : {}),
  };
}
