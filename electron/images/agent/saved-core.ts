/**
 * Takes a core that an image has saved out of the folder where the image may write. The bytes are copied: the image
 * may still hold the file open, or have put a link in its place.
 */
import { constants } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { asFailure, HarborError } from '../../contract/errors';

/** Ends every core that has its runtime before it (SBCL's save.c); it is missing from one that was cut off. */
const CORE_MAGIC = Buffer.from('LCBS');

/** Bytes read at a time. */
const PIECE = 1024 * 1024;

const MIB = 1024 ** 2;

/** What a core has beside the heap: the runtime, and spaces of a fixed size. */
const BESIDE_HEAP = 256 * MIB;

/** The bytes of the largest core that an image with such a heap can save. */
export function largestCore(heapMiB: number): number {
  return heapMiB * MIB + BESIDE_HEAP;
}

/**
 * Copies the core `from` to `to`, which appears when it is complete. What is empty takes no room on the disk. Answers its
 * bytes.
 * @param most bytes that it may have: code in the image can make a file of any size
 * @throws HarborError `checkpoint_failed`
 */
export async function takeSavedCore(from: string, to: string, most: number): Promise<number> {
  const unfinished = `${to}.part`;
  try {
    const bytes = await copyCore(from, unfinished, most);
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

async function copyCore(from: string, to: string, most: number): Promise<number> {
  // Neither a link is followed nor a pipe waited for.
  const source = await open(from, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const bytes = await sizeOfCore(source, most);
    await rm(to, { force: true });
    const target = await open(to, 'wx', 0o500);
    try {
      await copySparsely(source, target, bytes);
      await target.sync();
    } finally {
      await target.close();
    }
    return bytes;
  } finally {
    await source.close();
  }
}

const EMPTY = Buffer.alloc(PIECE);

/** Leaves out pieces of zeros. */
async function copySparsely(source: FileHandle, target: FileHandle, bytes: number): Promise<void> {
  const buffer = Buffer.alloc(PIECE);
  await target.truncate(bytes);
  for (let at = 0; at < bytes; ) {
    const { bytesRead } = await source.read(buffer, 0, Math.min(PIECE, bytes - at), at);
    if (bytesRead === 0) throw new Error('the file became shorter meanwhile');
    const piece = buffer.subarray(0, bytesRead);
    if (!piece.equals(EMPTY.subarray(0, bytesRead))) await writeAll(target, piece, at);
    at += bytesRead;
  }
}

async function writeAll(target: FileHandle, piece: Buffer, at: number): Promise<void> {
  for (let done = 0; done < piece.length; )
    done += (await target.write(piece, done, piece.length - done, at + done)).bytesWritten;
}

async function sizeOfCore(file: FileHandle, most: number): Promise<number> {
  const stats = await file.stat();
  if (stats.size > most)
    throw new HarborError(
      'checkpoint_failed',
      `What the image saved has ${stats.size} bytes, and a core of its heap has ${most} at most: code in the image has written it.`,
    );
  const end = Buffer.alloc(8);
  if (stats.isFile()) await file.read(end, 0, end.length, Math.max(0, stats.size - end.length));
  if (end.includes(CORE_MAGIC)) return stats.size;
  throw new HarborError(
    'checkpoint_failed',
    'What the image saved is no complete core. If the disk is full, make room and save again.',
  );
}
