/**
 * Takes a core that an image has saved out of the folder where the image may write. The bytes are copied: the image
 * may still hold the file open, or have put a link in its place.
 */
import { constants } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { asFailure, HarborError } from '../../contract/errors';

/** Ends every core that has its runtime before it (SBCL's save.c); it is missing from one that was cut off. */
const CORE_MAGIC = Buffer.from('LCBS');

/** Bytes read at a time. */
const PIECE = 1024 * 1024;

/**
 * Copies the core `from` to `to`, which appears when it is complete. Answers its bytes.
 * @throws HarborError `checkpoint_failed`
 */
export async function takeSavedCore(from: string, to: string): Promise<number> {
  const unfinished = `${to}.part`;
  try {
    const bytes = await copyCore(from, unfinished);
    await rename(unfinished, to);
    return bytes;
  } catch (error) {
    await rm(unfinished, { force: true });
    if (error instanceof HarborError) throw error;
    throw new HarborError(
      'checkpoint_failed',
      `The checkpoint could not be kept: ${asFailure(error).message}.`,
    );
  }
}

async function copyCore(from: string, to: string): Promise<number> {
  // Neither a link is followed nor a pipe waited for.
  const source = await open(from, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const bytes = await sizeOfCore(source);
    await rm(to, { force: true });
    const target = await open(to, 'wx', 0o500);
    await pipeline(
      source.createReadStream({ autoClose: false, start: 0, end: bytes - 1, highWaterMark: PIECE }),
      target.createWriteStream({ highWaterMark: PIECE, flush: true }),
    );
    return bytes;
  } finally {
    await source.close();
  }
}

async function sizeOfCore(file: FileHandle): Promise<number> {
  const stats = await file.stat();
  const end = Buffer.alloc(8);
  if (stats.isFile()) await file.read(end, 0, end.length, Math.max(0, stats.size - end.length));
  if (end.includes(CORE_MAGIC)) return stats.size;
  throw new HarborError(
    'checkpoint_failed',
    'What the image saved is no complete core. If the disk is full, make room and save again.',
  );
}
