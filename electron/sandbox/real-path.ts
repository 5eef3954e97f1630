/** Real paths, symbolic links followed, also of what is not there yet. */
import { readlinkSync, realpathSync } from 'node:fs';
import path from 'node:path';

/** Links that are followed one after another, as many as Linux follows. */
const MOST_LINKS = 40;

/**
 * The real path of the nearest ancestor that can be reached, with what is asked for below it as it was written. A link that
 * leads nowhere counts as where it leads: what is decided by the path then says nothing of whether something is there.
 */
export function realPath(file: string): string {
  return following(file, MOST_LINKS);
}

function following(file: string, linksLeft: number): string {
  const absolute = path.resolve(file);
  try {
    return realpathSync.native(absolute);
  } catch {
    const parent = path.dirname(absolute);
    if (parent === absolute) return absolute;
    const at = path.join(following(parent, linksLeft), path.basename(absolute));
    const leads = linksLeft > 0 ? targetOf(at) : null;
    return leads === null ? at : following(path.resolve(path.dirname(at), leads), linksLeft - 1);
  }
}

/** null for what is no link. */
function targetOf(file: string): string | null {
  try {
    return readlinkSync(file);
  } catch {
    return null;
  }
}
