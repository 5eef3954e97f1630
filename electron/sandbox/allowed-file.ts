/**
 * Reads, replaces, removes and lists files that the rules allow. All operations work on opened descriptors,
 * so replacing a name meanwhile has no effect.
 */

import { createHash, randomBytes } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { type FileHandle, link, lstat, opendir, rename, stat } from 'node:fs/promises';
import path from 'node:path';
import { HarborError, similarNames } from '../contract/errors';
import type { Secret } from '../contract/sandbox';

import { type Owner, setOwner } from '../host/file-attributes';
import {
  closingAfter,
  notAFile,
  notAFolder,
  OpenedFolder,
  reportingErrors,
  systemCode,
  withNewParentFolder,
  withParentFolder,
} from '../host/opened-folder';
import { decideFile, type FileRules, secretRefusal } from './file-policy';
import { realPath } from './paths';

/** Maximum size in bytes of a file that is read. */
const MOST_BYTES = 64 * 1024 * 1024;

/** Hex digits of the hash; enough to make an accidental collision between versions of one file negligible. */
const HASH_DIGITS = 12;

/** The content of a file: its real path, and the hash that a later write must name. */
export interface FileBytes {
  path: string;
  bytes: Uint8Array;
  hash: string;
}

interface Content extends Replaced {
  bytes: Uint8Array;
  hash: string;
}

/** @throws HarborError as `FileGuard.read`, except for its decision and the approval */
export function readAllowed(allowed: Allowed): Promise<FileBytes> {
  return reportingErrors(allowed.requested, () =>
    withParentFolder(allowed.real, (folder) => readIn(folder, allowed)),
  );
}

/** Like `readAllowed`, in its opened parent folder. */
export function readIn(folder: OpenedFolder, allowed: Allowed): Promise<FileBytes> {
  const { requested, real } = allowed;
  return reportingErrors(requested, async () => {
    const { bytes, hash } = await contentOf(folder, path.basename(real), allowed);
    return { path: real, bytes, hash };
  });
}

/**
 * Writes the file. Callers serialize writes to one file (`FileTurns`), so only other programs can change it
 * between the hash check and the end.
 */
export async function writeAllowed(
  allowed: Allowed,
  bytes: Uint8Array,
  expectedHash: string | null,
): Promise<{ path: string; hash: string }> {
  const inFolder = expectedHash === null ? withNewParentFolder : withParentFolder;
  await reportingErrors(allowed.requested, () =>
    inFolder(allowed.real, async (folder, name) => {
      const current = await contentOf(folder, name, allowed).catch(nullWhenMissing);
      checkExpected(current, expectedHash, allowed.requested);
      await writeAtomically(folder, name, bytes, current).catch((error: unknown) => {
        throw systemCode(error) === 'EEXIST' ? fileExists(allowed.requested) : error;
      });
    }),
  );
  return { path: allowed.real, hash: hashOf(bytes) };
}

/** Removes the file. Callers serialize it with writes, as for `writeAllowed`. */
export function removeAllowed(allowed: Allowed, hash: string): Promise<void> {
  return reportingErrors(allowed.requested, () =>
    withParentFolder(allowed.real, async (folder, name) => {
      const current = await contentOf(folder, name, allowed).catch(nullWhenMissing);
      checkExpected(current, hash, allowed.requested);
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

async function readWhole(handle: FileHandle, { requested, rules }: Allowed): Promise<Content> {
  const found = await handle.stat();
  if (!found.isFile()) throw notAFile(requested);
  const secret = await secretBehind(found, rules.secrets);
  if (secret) throw secretRefusal(requested, secret);
  if (found.size > MOST_BYTES)
    throw new HarborError(
      'not_supported',
      `${requested} has ${found.size} bytes; files larger than 64 MiB are not read.`,
    );
  const bytes = await handle.readFile();
  return { bytes, hash: hashOf(bytes), mode: found.mode & 0o7777, owner: found };
}

export function nullWhenMissing(error: unknown): null {
  if (systemCode(error) === 'ENOENT') return null;
  throw error;
}

/** Write permission bits for user, group and others. */
const WRITABLE = 0o222;

/** @throws HarborError `file_exists`, `file_missing`, `hash_mismatch`, `path_not_allowed` */
export function checkExpected(current: Content | null, expected: string | null, requested: string): void {
  if (current === null && expected !== null)
    throw new HarborError('file_missing', `${requested} no longer exists; write it as a new file.`);
  if (current !== null && expected === null) throw fileExists(requested);
  if (current !== null && current.hash !== expected)
    throw new HarborError('hash_mismatch', `${requested} changed since it was read. Read it again first.`);
  if (current !== null && (current.mode & WRITABLE) === 0)
    throw new HarborError(
      'path_not_allowed',
      `${requested} is read-only (mode ${current.mode.toString(8)}). Its owner must allow writing first.`,
    );
}

export function fileExists(requested: string): HarborError {
  return new HarborError(
    'file_exists',
    `${requested} already exists. Read it, and pass its hash to replace it.`,
  );
}

/** Returns a short content hash: the first 12 hex digits of SHA-256. */
export function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex').slice(0, HASH_DIGITS);
}

const NEW_FILE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;

/** Attributes that a replacement keeps from the old file. */
interface Replaced {
  /** Permission bits. */
  mode: number;
  owner: Owner;
}

/**
 * A complete file written next to its target. Moving it into place needs no further disk space. Replacing
 * breaks hard links: other names keep the old content.
 */
export class Draft {
  readonly #folder: OpenedFolder;
  readonly #file: string;
  readonly #name: string;

  private constructor(folder: OpenedFolder, file: string, name: string) {
    this.#folder = folder;
    this.#file = file;
    this.#name = name;
  }

  /**
   * @param current the file to replace; null for a new one
   * @throws the system's error; the draft is removed then
   */
  static async write(
    folder: OpenedFolder,
    name: string,
    bytes: Uint8Array,
    current: Replaced | null,
  ): Promise<Draft> {
    const file = `.${name.slice(0, 100)}.${randomBytes(6).toString('hex')}.draft`;
    await writeDraft(folder, file, bytes, current);
    return new Draft(folder, file, name);
  }

  /** Replaces the existing file atomically. */
  async replace(): Promise<void> {
    await rename(this.#folder.at(this.#file), this.#folder.at(this.#name));
  }

  /** Creates the file. @throws EEXIST if the name exists */
  async create(): Promise<void> {
    await linkDraft(this.#folder, this.#file, this.#name);
  }

  /** Removes the draft if it still exists. Never throws. */
  async clear(): Promise<void> {
    await this.#folder.remove(this.#file).catch(() => undefined);
  }
}

/**
 * Writes a file atomically: readers see the old content or the new one.
 * @param current the file to replace; null for a new one, which must not exist
 * @throws the system's error; EEXIST for a new file whose name exists
 */
async function writeAtomically(
  folder: OpenedFolder,
  name: string,
  bytes: Uint8Array,
  current: Replaced | null,
): Promise<void> {
  const draft = await Draft.write(folder, name, bytes, current);
  await (current === null ? draft.create() : draft.replace()).finally(() => draft.clear());
}

async function writeDraft(
  folder: OpenedFolder,
  draft: string,
  bytes: Uint8Array,
  current: Replaced | null,
): Promise<void> {
  const handle = await folder.file(draft, NEW_FILE);
  try {
    await handle.writeFile(bytes);
    await setOwner(current?.owner ?? (await folder.owner()), handle);
    // After the change of owner, which clears bits.
    if (current) await handle.chmod(current.mode);
    await handle.sync();
  } catch (error) {
    await folder.remove(draft).catch(() => undefined);
    throw error;
  } finally {
    await handle.close();
  }
}

/** Hard-links the draft to `name`. Unlike rename, link never replaces an existing file. */
async function linkDraft(folder: OpenedFolder, draft: string, name: string): Promise<void> {
  try {
    await link(folder.at(draft), folder.at(name));
  } catch (error) {
    // Some file systems, such as FAT, have no hard links.
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes(systemCode(error) ?? '')) throw error;
    const taken = await folder.file(name, NEW_FILE);
    await taken.close();
    await rename(folder.at(draft), folder.at(name));
  }
}

/** A path that was allowed, and the rules that allowed it. */
export interface Allowed {
  /** The requested path, made absolute. */
  requested: string;
  real: string;
  rules: FileRules;
}

interface Entry {
  name: string;
  type: 'file' | 'directory';
}

export interface ListedFolder {
  path: string;
  entries: Entry[];
  /** False if the listing was cut off. */
  complete: boolean;
}

/**
 * Lists a folder, without entries that the rules do not let the caller read.
 * @param most maximum number of entries to look at
 * @throws HarborError `not_a_file` if it is not a folder, and for system errors
 */
export function listFolder(allowed: Allowed, most: number): Promise<ListedFolder> {
  return reportingErrors(allowed.requested, async () => {
    const opened = await OpenedFolder.open(allowed.real).catch((error: unknown) => {
      throw systemCode(error) === 'ENOTDIR' ? notAFolder(allowed.requested) : error;
    });
    return closingAfter(opened, async (folder) => {
      const { names, complete } = await namesIn(folder.at(''), most);
      const entries = await Promise.all(names.map((name) => entryOf(path.join(allowed.real, name), allowed)));
      return { path: allowed.real, entries: entries.filter((entry) => entry !== null), complete };
    });
  });
}

/** Runs `work`. If it fails with `file_missing`, adds the names that exist nearby to the message. */
export async function suggestingNames<R>(
  allowed: Allowed,
  most: number,
  work: (allowed: Allowed) => Promise<R>,
): Promise<R> {
  try {
    return await work(allowed);
  } catch (error) {
    if (!(error instanceof HarborError && error.code === 'file_missing')) throw error;
    throw new HarborError('file_missing', `${error.message}${await namesNearby(allowed, most)}`);
  }
}

/** Names in the nearest existing ancestor folder. */
async function namesNearby({ requested, real, rules }: Allowed, most: number): Promise<string> {
  const above = { requested: path.dirname(requested), real: path.dirname(real), rules };
  if (above.real === real || !decideFile(above.real, 'read', rules).allowed) return '';
  const found = await listFolder(above, most).catch(() => null);
  if (!found) return namesNearby(above, most);
  const names = found.entries.map(({ name }) => name).filter((name) => !name.startsWith('.'));
  return names.length === 0 ? '' : ` ${above.requested} has ${similarNames(path.basename(real), names)}.`;
}

async function namesIn(folder: string, most: number): Promise<{ names: string[]; complete: boolean }> {
  const names: string[] = [];
  for await (const { name } of await opendir(folder)) {
    if (names.length === most) return { names, complete: false };
    names.push(name);
  }
  return { names, complete: true };
}

async function entryOf(file: string, { rules }: Allowed): Promise<Entry | null> {
  if (!decideFile(realPath(file), 'read', rules).allowed) return null;
  const found = await stat(file).catch(() => null);
  if (!found?.isFile() && !found?.isDirectory()) return null;
  return { name: path.basename(file), type: found.isFile() ? 'file' : 'directory' };
}

/** Maximum number of secret files to compare. */
const MOST_FILES = 100_000;

/**
 * Returns the secret that the open file is a hard link to; null if there is none. A file with one link is
 * already identified by its path.
 * @throws Error if there are too many secrets to compare
 */
async function secretBehind(file: Stats, secrets: readonly Secret[]): Promise<Secret | null> {
  if (file.nlink < 2) return null;
  const search = { file, remaining: MOST_FILES };
  for (const secret of secrets) if (await contains(secret.path, search)) return secret;
  return null;
}

interface Search {
  file: Stats;
  remaining: number;
}

/** Links are not followed. */
async function contains(at: string, search: Search): Promise<boolean> {
  const found = await lstat(at).catch(() => null);
  if (!found) return false;
  search.remaining -= 1;
  if (search.remaining < 0) throw new Error('there are too many secret files to compare');
  if (found.isFile()) return found.ino === search.file.ino && found.dev === search.file.dev;
  if (!found.isDirectory() || found.dev !== search.file.dev) return false;
  const folder = await opendir(at).catch(() => null);
  if (!folder) return false;
  for await (const entry of folder) if (await contains(path.join(at, entry.name), search)) return true;
  return false;
}
