/** A file that the rules allow: what is open is checked, read and replaced, whatever takes its name's place meanwhile. */
import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { HarborError } from '../contract/errors';
import { secretRefusal } from './file-policy';
import { notAFile, systemCode, toldOf } from './file-refusals';
import type { Allowed } from './listed-folder';
import type { OpenedFolder } from './opened-folder';
import { inFolderOf, inNewFolderOf } from './opened-path';
import { putFile, type Replaced } from './replaced-file';
import { secretBehind } from './secret-files';

/** Of a file that is read whole. */
const MOST_BYTES = 64 * 1024 * 1024;

/** Two texts of one file come to the same 12 digits by no accident that anybody would see. */
const HASH_DIGITS = 12;

/** A file as it was read: its real path, and what a later write names as its hash. */
export interface FileBytes {
  path: string;
  bytes: Uint8Array;
  hash: string;
}

export interface Content extends Replaced {
  bytes: Uint8Array;
  hash: string;
}

/** @throws HarborError as `FileGuard.read` does of what is allowed */
export function readAllowed(allowed: Allowed): Promise<FileBytes> {
  return toldOf(allowed.asked, () =>
    inFolderOf(allowed.real, async (folder, name) => {
      const { bytes, hash } = await contentOf(folder, name, allowed);
      return { path: allowed.real, bytes, hash };
    }),
  );
}

/** In the file's turn: nothing but the outside changes it between the check of its hash and the end. */
export async function putAllowed(
  allowed: Allowed,
  bytes: Uint8Array,
  expectedHash: string | null,
): Promise<{ path: string; hash: string }> {
  const inFolder = expectedHash === null ? inNewFolderOf : inFolderOf;
  await toldOf(allowed.asked, () =>
    inFolder(allowed.real, async (folder, name) => {
      const current = await contentOf(folder, name, allowed).catch(nullWhenMissing);
      checkExpected(current, expectedHash, allowed.asked);
      await putFile(folder, name, bytes, current).catch((error: unknown) => {
        throw systemCode(error) === 'EEXIST' ? alreadyThere(allowed.asked) : error;
      });
    }),
  );
  return { path: allowed.real, hash: hashOf(bytes) };
}

/** As `putAllowed`, for a file that is to be there no more. */
export function removeAllowed(allowed: Allowed, hash: string): Promise<void> {
  return toldOf(allowed.asked, () =>
    inFolderOf(allowed.real, async (folder, name) => {
      const current = await contentOf(folder, name, allowed).catch(nullWhenMissing);
      checkExpected(current, hash, allowed.asked);
      await folder.remove(name);
    }),
  );
}

/** @throws HarborError `not_a_file`, `secret_path`, or the system's error */
export async function contentOf(folder: OpenedFolder, name: string, allowed: Allowed): Promise<Content> {
  const handle = await folder.file(name);
  try {
    return await readWhole(handle, allowed);
  } finally {
    await handle.close();
  }
}

async function readWhole(handle: FileHandle, { asked, rules }: Allowed): Promise<Content> {
  const found = await handle.stat();
  if (!found.isFile()) throw notAFile(asked);
  const secret = await secretBehind(found, rules.secrets);
  if (secret) throw secretRefusal(asked, secret);
  if (found.size > MOST_BYTES)
    throw new HarborError(
      'not_supported',
      `${asked} has ${found.size} bytes; files over 64 MiB are not read.`,
    );
  const bytes = await handle.readFile();
  return { bytes, hash: hashOf(bytes), mode: found.mode & 0o7777, owner: found };
}

export function nullWhenMissing(error: unknown): null {
  if (systemCode(error) === 'ENOENT') return null;
  throw error;
}

/** Bits of who may write a file. */
const WRITABLE = 0o222;

/** @throws HarborError `file_exists`, `file_missing`, `hash_mismatch`, `path_not_allowed` */
export function checkExpected(current: Content | null, expected: string | null, asked: string): void {
  if (current === null && expected !== null)
    throw new HarborError('file_missing', `There is no ${asked} any more; write it as a new file.`);
  if (current !== null && expected === null) throw alreadyThere(asked);
  if (current !== null && current.hash !== expected)
    throw new HarborError('hash_mismatch', `${asked} has changed since it was read. Read it again first.`);
  if (current !== null && (current.mode & WRITABLE) === 0)
    throw new HarborError(
      'path_not_allowed',
      `${asked} is read-only (its mode is ${current.mode.toString(8)}). Whoever has it must allow writing first.`,
    );
}

export function alreadyThere(asked: string): HarborError {
  return new HarborError(
    'file_exists',
    `${asked} is there already. Read it, and name its hash to replace it.`,
  );
}

/** What tells one text of a file from another, to be said in few words: digits of its SHA-256. */
export function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex').slice(0, HASH_DIGITS);
}
