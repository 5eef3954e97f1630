/**
 * Files that we read for ourselves in a folder where code may write: build files, port files, what was fetched. They are
 * regular files of that folder, whatever links lead to, and are read in bounded bytes and time.
 */
import type { FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { HarborError } from '../contract/errors';
import { notAFile, systemCode, toldOf } from './file-refusals';
import { inFolderOf } from './opened-path';
import { isWithin } from './project-rules';
import { realPath } from './real-path';

/** Of a file that names things, such as a build file. */
const MOST_BYTES = 1024 * 1024;

/** Milliseconds that a disk may take for so little, though it may be another computer's. */
const READ_MS = 10_000;

/** What `name` holds in `folder`, which is a real path; null when it is not there.
 * @param most bytes
 * @throws HarborError `path_not_allowed` for what leads out of the folder, whether something is there or not; `not_a_file`,
 * `not_supported`, `took_too_long`. None says what the file holds */
export async function readWithin(folder: string, name: string, most = MOST_BYTES): Promise<Buffer | null> {
  const asked = path.resolve(folder, name);
  const real = placeWithin(folder, name);
  if (real === null)
    throw new HarborError('path_not_allowed', `${asked} leads out of ${folder}, so it is not read.`);
  return toldOf(asked, () => inTime(asked, contentOf(real, asked, most)));
}

/** The real path of `name` in `folder`; null for what leads out of it. Nothing needs to be there.
 * @param folder its real path, in whose place a link may have come */
export function placeWithin(folder: string, name: string): string | null {
  const real = realPath(path.resolve(folder, name));
  return isWithin(real, path.resolve(folder), process.platform) ? real : null;
}

async function contentOf(real: string, asked: string, most: number): Promise<Buffer | null> {
  try {
    return await inFolderOf(real, async (folder, name) => {
      const file = await folder.file(name);
      return readOpened(file, asked, most).finally(() => file.close());
    });
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    throw error;
  }
}

async function readOpened(file: FileHandle, asked: string, most: number): Promise<Buffer> {
  const found = await file.stat();
  if (!found.isFile()) throw notAFile(asked);
  if (found.size > most)
    throw new HarborError('not_supported', `${asked} has ${found.size} bytes; ${most} are read at most.`);
  const bytes = Buffer.alloc(found.size);
  const { bytesRead } = await file.read(bytes, 0, bytes.length, 0);
  return bytes.subarray(0, bytesRead);
}

async function inTime<R>(asked: string, work: Promise<R>): Promise<R> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const over = new HarborError('took_too_long', `${asked} was not read within ${READ_MS / 1_000} s.`);
  const timer = setTimeout(() => reject(over), READ_MS);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
