/**
 * Folders that must keep their names: those between a folder that may be written and what is closed in it. What is closed is
 * found by its path, so under another name of a folder above it the next image, and the file tools, would find it open. Pure.
 */
import path from 'node:path';

/** Each of them once, from above. @param closed places that are read-only or hidden
 * @param writable folders that may be written */
export function heldFolders(closed: readonly string[], writable: readonly string[]): string[] {
  const tops = new Set(writable.map((at) => path.posix.resolve('/', at)));
  const shut = new Set(closed);
  return [...new Set(closed.flatMap((at) => between(path.posix.dirname(at), tops, shut)))].sort();
}

/** What is above, and may be written, up to the highest folder that may: one that lies in another can be moved with it. */
function between(from: string, tops: ReadonlySet<string>, shut: ReadonlySet<string>): string[] {
  const above: string[] = [];
  const held: string[] = [];
  for (let at = from; at !== path.posix.dirname(at); at = path.posix.dirname(at)) {
    if (tops.has(at)) held.push(...above.splice(0));
    else if (shut.has(at)) above.length = 0;
    else above.push(at);
  }
  return held;
}
