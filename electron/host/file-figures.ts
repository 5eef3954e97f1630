/** Whether a file is still what it was, by what the file system says of it: without that it is read. */
import { statSync } from 'node:fs';

/** What changes with a file, and of a folder with the names in it. The same words for all that is not there, or may not be
 * looked at. */
export function figuresOf(file: string): string {
  try {
    const { ino, size, mtimeMs, ctimeMs } = statSync(file);
    return [ino, size, mtimeMs, ctimeMs].join(' ');
  } catch {
    return 'nothing';
  }
}
