/** Real paths, symbolic links followed, also of what is not there yet. */
import { realpathSync } from 'node:fs';
import path from 'node:path';

/** The real path of the nearest ancestor that can be reached, with what is asked for below it as it was written. */
export function realPath(file: string): string {
  const absolute = path.resolve(file);
  try {
    return realpathSync.native(absolute);
  } catch {
    const parent = path.dirname(absolute);
    return parent === absolute ? absolute : path.join(realPath(parent), path.basename(absolute));
  }
}
