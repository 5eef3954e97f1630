/** What the process of a session's image takes, as it was read last. */
import type { SessionView } from '../../contract/model';
import type { Image } from '../../images/image';
import type { Usage } from '../../launchers/launcher';

/** Milliseconds for which figures are good enough: the kernel adds up every page of the process for them. */
const FRESH_MS = 1_000;

export class ImageUsage {
  readonly #image: () => Image | null;
  #read: { of: Image; at: number; usage: Usage | null } | null = null;

  /** @param image the one that the session has just now */
  constructor(image: () => Image | null) {
    this.#image = image;
  }

  /** What another image took says nothing of the present one. */
  get view(): Pick<SessionView, 'pid' | 'memoryBytes'> {
    const usage = this.#read?.of === this.#image() ? this.#read?.usage : null;
    return { pid: usage?.pid ?? null, memoryBytes: usage?.memoryBytes ?? null };
  }

  async refresh(): Promise<void> {
    const image = this.#image();
    const at = performance.now();
    if (!image || (this.#read?.of === image && at - this.#read.at < FRESH_MS)) return;
    this.#read = { of: image, at, usage: await image.usage() };
  }
}

/** What the view of a session tells of its image alone: where it is, and what it can do beside evaluating. */
export function imageView(
  image: Image,
): Pick<
  SessionView,
  'package' | 'sandbox' | 'checkpoints' | 'slime' | 'taps' | 'world' | 'rawLisp' | 'trustTags'
> {
  return {
    package: image.package,
    sandbox: image.sandbox,
    checkpoints: image.checkpoints !== undefined,
    slime: image.slime !== undefined,
    taps: image.taps !== undefined,
    world: image.world !== undefined,
    ...(image.rawLisp ? { rawLisp: image.rawLisp.allowed, trustTags: [...image.rawLisp.trustTags] } : {}),
  };
}
