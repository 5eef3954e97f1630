/** Folders for a container, as people write them for Docker: `/here:/there`, which it may read, or `/here:/there:rw`. */
import type { Mount } from '../electron/contract/server';

/** null when the text says something else. */
export function mountsOf(text: string): Mount[] | null {
  const written = text.split(',').flatMap((part) => part.trim() || []);
  const mounts = written.flatMap((part) => {
    const [, from, to, mode] = /^(\/[^:]*):(\/[^:]*)(?::(rw|ro))?$/.exec(part) ?? [];
    return from && to ? [{ from, to, write: mode === 'rw' }] : [];
  });
  return mounts.length === written.length ? mounts : null;
}
