/** Contents of the files that ACL2 read for a book. An image names them, so nothing here is shown to it. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';

/** Maximum files read in parallel. */
const PARALLEL = 16;

/** Maximum bytes of a file. The largest system book has a tenth of it. */
const MOST_BYTES = 256 * 1024 * 1024;

/** Returns the hash of each file; null for one that does not exist or is no regular file. */
export async function hashesOf(files: readonly string[]): Promise<Map<string, string | null>> {
  const hashes = new Map<string, string | null>();
  for (let at = 0; at < files.length; at += PARALLEL)
    await Promise.all(
      files.slice(at, at + PARALLEL).map(async (file) => hashes.set(file, await hashOf(file))),
    );
  return hashes;
}

async function hashOf(file: string): Promise<string | null> {
  const found = await stat(file).catch(() => null);
  if (!found?.isFile() || found.size > MOST_BYTES) return null;
  const hash = createHash('sha256');
  const read = await pipeline(createReadStream(file), hash).then(
    () => true,
    () => false,
  );
  return read ? hash.digest('hex') : null;
}

/**
 * Returns those of the files whose contents or names have changed since that time in milliseconds. No program can
 * set the time of the last change of an inode.
 */
export async function changedSince(files: readonly string[], time: number): Promise<string[]> {
  const changed = await Promise.all(
    files.map(async (file) => {
      const found = await stat(file).catch(() => null);
      return found?.isFile() === true && found.ctimeMs >= time;
    }),
  );
  return files.filter((_file, index) => changed[index]);
}
