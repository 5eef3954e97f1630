/** Whether an open file is a secret under another name: a hard link is the file itself, and no path tells. */
import type { Stats } from 'node:fs';
import { lstat, opendir } from 'node:fs/promises';
import path from 'node:path';
import type { Secret } from '../contract/allow-list';

/** Beyond these files somebody would wait too long, and nothing could be said of the rest. */
const MOST_FILES = 100_000;

/** The secret that the file is a name of; null when there is none. A file with one name is known by its path already.
 * @throws Error when the secrets are more than can be compared */
export async function secretBehind(file: Stats, secrets: readonly Secret[]): Promise<Secret | null> {
  if (file.nlink < 2) return null;
  const search = { file, left: MOST_FILES };
  for (const secret of secrets) if (await holds(secret.path, search)) return secret;
  return null;
}

interface Search {
  file: Stats;
  left: number;
}

/** Links are not followed: where they lead is another secret's business, or none. */
async function holds(at: string, search: Search): Promise<boolean> {
  const found = await lstat(at).catch(() => null);
  if (!found) return false;
  search.left -= 1;
  if (search.left < 0) throw new Error('there are too many files among the secrets to compare them all');
  if (found.isFile()) return found.ino === search.file.ino && found.dev === search.file.dev;
  if (!found.isDirectory() || found.dev !== search.file.dev) return false;
  const folder = await opendir(at).catch(() => null);
  if (!folder) return false;
  for await (const entry of folder) if (await holds(path.join(at, entry.name), search)) return true;
  return false;
}
