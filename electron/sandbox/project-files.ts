/**
 * Locates and reads files of a project: sources that a session may load, and small files that the app itself
 * reads where sandboxed code can write (build files, port files). Links never lead out of the folder, and
 * reads are bounded in size and time.
 */

import { createHash } from 'node:crypto';
import { existsSync, lstatSync, opendirSync } from 'node:fs';
import { type FileHandle, opendir } from 'node:fs/promises';
import path from 'node:path';
import { FileRefused } from '../contract/approvals';
import { HarborError, similarNames } from '../contract/errors';
import { notAFile, OpenedFolder, reportingErrors, systemCode, withParentFolder } from '../host/opened-folder';
import { howToAllow } from './file-policy';
import { isWithin, realPath } from './paths';

/** Maximum number of names to read when a file is missing. */
const MOST_NAMES = 5_000;

/**
 * Returns the real path of `file`, which may be relative to the project.
 * @throws HarborError `file_missing`, `file_not_allowed`
 */
export function sourceFile(file: string, project: string, libraries: readonly string[]): string {
  return locateSource(isFile, file, project, libraries);
}

/** Like `sourceFile`, for an ACL2 book named with or without `.lisp`. */
export function bookFile(book: string, project: string, libraries: readonly string[]): string {
  return sourceFile(book.endsWith('.lisp') ? book : `${book}.lisp`, project, libraries);
}

/** Like `sourceFile`; also accepts a folder. */
export function sourceFileOrFolder(file: string, project: string, libraries: readonly string[]): string {
  return locateSource((real) => isFile(real) || isFolder(real), file, project, libraries);
}

function locateSource(
  isWanted: (real: string) => boolean,
  file: string,
  project: string,
  libraries: readonly string[],
): string {
  if (file.includes('\0')) throw new HarborError('file_missing', 'No path has a NUL character.');
  const folders = [project, ...libraries];
  const requested = path.resolve(project, file);
  const real = realPath(requested);
  // Checked before existence, so that nothing is revealed about paths outside.
  if (!folders.some((folder) => isWithin(real, folder, process.platform)))
    throw new FileRefused(
      'file_not_allowed',
      `${requested} is outside the project ${project} (symbolic links are resolved). Sessions load files of their project and of the Lisp libraries: ${libraries.join(', ') || 'none'}. ${howToAllow(path.dirname(requested), 'library')}`,
      { path: requested, use: 'read', project },
    );
  if (isWanted(real)) return real;
  throw new HarborError(
    'file_missing',
    `${file} does not exist. Paths are relative to ${project}.${namesNearby(requested, folders)}`,
  );
}

/** Names in the nearest existing ancestor of `file`; empty if that is outside `folders`. */
function namesNearby(file: string, folders: readonly string[]): string {
  const above = path.dirname(file);
  const real = realPath(above);
  if (!folders.some((folder) => isWithin(real, folder, process.platform))) return '';
  if (!existsSync(real)) return namesNearby(above, folders);
  const names = firstNames(real).filter((name) => !name.startsWith('.'));
  return names.length === 0 ? '' : ` ${above} has ${similarNames(path.basename(file), names)}.`;
}

function firstNames(folder: string): string[] {
  const names: string[] = [];
  const opened = opendirSync(folder);
  try {
    for (let entry = opened.readSync(); entry && names.length < MOST_NAMES; entry = opened.readSync())
      names.push(entry.name);
    return names;
  } finally {
    opened.closeSync();
  }
}

function isFile(real: string): boolean {
  return lstatSync(real, { throwIfNoEntry: false })?.isFile() === true;
}

function isFolder(real: string): boolean {
  return lstatSync(real, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Default maximum size in bytes; enough for a build file. */
const MOST_BYTES = 1024 * 1024;

/** Maximum time in milliseconds; the disk may be a network file system. */
const READ_MS = 10_000;

/**
 * Reads `name` in `folder`, which is a real path; null if it does not exist.
 * @param most maximum size in bytes
 * @throws HarborError `path_not_allowed` for a path that leads out of the folder, whether it exists or not;
 *   `not_a_file`, `not_supported`, `took_too_long`. Messages never include the content
 */
export function readWithin(folder: string, name: string, most = MOST_BYTES): Promise<Buffer | null> {
  return openedWithin(folder, name, (file, requested) => readOpened(file, requested, most));
}

/** Like `readWithin`, for the SHA-256 of a file of any size, in hexadecimal digits. */
export function hashWithin(folder: string, name: string): Promise<string | null> {
  return openedWithin(folder, name, hashOpened);
}

async function openedWithin<R>(
  folder: string,
  name: string,
  work: (file: FileHandle, requested: string) => Promise<R>,
): Promise<R | null> {
  const requested = path.resolve(folder, name);
  const real = pathWithin(folder, name);
  if (real === null)
    throw new HarborError('path_not_allowed', `${requested} leads out of ${folder}, so it is not read.`);
  const opened = (parent: OpenedFolder, base: string) =>
    parent.file(base).then((file) => work(file, requested).finally(() => file.close()));
  const done = withParentFolder(real, opened).catch((error: unknown) => {
    if (systemCode(error) === 'ENOENT') return null;
    throw error;
  });
  return reportingErrors(requested, () => withTimeout(requested, done));
}

/**
 * Returns the real path of `name` in `folder`; null if it leads out of it. The file need not exist.
 * @param folder its real path, which a link may have replaced
 */
export function pathWithin(folder: string, name: string): string | null {
  const real = realPath(path.resolve(folder, name));
  return isWithin(real, path.resolve(folder), process.platform) ? real : null;
}

async function readOpened(file: FileHandle, requested: string, most: number): Promise<Buffer> {
  const found = await file.stat();
  if (!found.isFile()) throw notAFile(requested);
  if (found.size > most)
    throw new HarborError('not_supported', `${requested} has ${found.size} bytes; the maximum is ${most}.`);
  const bytes = Buffer.alloc(found.size);
  const { bytesRead } = await file.read(bytes, 0, bytes.length, 0);
  return bytes.subarray(0, bytesRead);
}

/** Bytes that are hashed at a time. */
const PIECE = 1024 * 1024;

async function hashOpened(file: FileHandle, requested: string): Promise<string> {
  if (!(await file.stat()).isFile()) throw notAFile(requested);
  const hash = createHash('sha256');
  const piece = Buffer.alloc(PIECE);
  const end = Date.now() + READ_MS;
  while (Date.now() < end) {
    const { bytesRead } = await file.read(piece, 0, PIECE, null);
    if (bytesRead === 0) return hash.digest('hex');
    hash.update(piece.subarray(0, bytesRead));
  }
  throw tookTooLong(requested);
}

async function withTimeout<R>(requested: string, work: Promise<R>): Promise<R> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(tookTooLong(requested)), READ_MS);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

function tookTooLong(requested: string): HarborError {
  return new HarborError('took_too_long', `${requested} was not read within ${READ_MS / 1_000} s.`);
}

/** Maximum number of entries to visit. */
const MOST_ENTRIES = 200_000;

/**
 * Yields the files below `folder` as relative paths, upper levels first, without following links. Stops after
 * `most` entries, folders included; skips unreadable folders.
 */
export async function* filesBelow(folder: string, most = MOST_ENTRIES): AsyncGenerator<string> {
  const root = realPath(folder);
  const waiting = [''];
  let remaining = most;
  for (let below = waiting.shift(); below !== undefined; below = waiting.shift()) {
    const opened = await OpenedFolder.open(path.join(root, below)).catch(() => null);
    if (!opened) continue;
    try {
      for await (const entry of await opendir(opened.at(''))) {
        remaining -= 1;
        if (remaining < 0) return;
        const name = path.join(below, entry.name);
        if (entry.isDirectory()) waiting.push(name);
        if (entry.isFile()) yield name;
      }
    } finally {
      await opened.close();
    }
  }
}
