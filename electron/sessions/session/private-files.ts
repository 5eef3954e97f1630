/** Says of an evaluation that it wrote where nobody but its session looks. */
import type { Image } from '../../images/image';
import type { PrivateEntries } from '../../launchers/launcher';

/** Paths that one sentence names. */
const NAMED = 3;

const LASTS: Readonly<Record<PrivateEntries['lasts'], string>> = {
  image: 'Written where only this image sees it, and lost with it',
  session: 'Written in the session’s own home folder, which goes with the session',
};

export class PrivateFiles {
  readonly #known = new WeakSet<Image>();

  /** What is there before the first evaluation is the engine's own. */
  async begin(image: Image): Promise<void> {
    if (this.#known.has(image)) return;
    this.#known.add(image);
    await image.privateEntries?.();
  }

  /** A sentence for each folder into which something has come, told once. */
  async notes(image: Image): Promise<string[]> {
    return ((await image.privateEntries?.()) ?? []).map(noteOf);
  }
}

function noteOf({ lasts, paths }: PrivateEntries): string {
  const more = paths.length - NAMED;
  const named = paths.slice(0, NAMED).map(quoted).join(', ');
  return `${LASTS[lasts]}: ${named}${more > 0 ? ` and ${more} more` : ''}. What is to stay belongs in the project.`;
}

/** Names come from the image: nothing of them is taken for words of ours. */
function quoted(file: string): string {
  return /^[\w./@+-]{1,200}$/.test(file) ? file : JSON.stringify(file.slice(0, 200));
}
