/**
 * Reads and writes files for clients: decides by the allow-list, then acts on what is open, not on its name. What a
 * name leads to can change between the two, because code in an image may write in its project at any time.
 */
import { createHash } from 'node:crypto';
import { type FileHandle, readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { HarborError } from '../contract/errors';
import { decideFile, type FileRules, type FileUse, refusal, secretRefusal } from './file-policy';
import { notAFile, notAFolder, systemCode, toldOf } from './file-refusals';
import { OpenedFolder } from './opened-folder';
import { closing, inFolderOf, inNewFolderOf } from './opened-path';
import { refusedText } from './path-text';
import { realPath } from './real-path';
import { putFile } from './replaced-file';
import { secretBehind } from './secret-files';

/** Of a file that is read whole. */
const MOST_BYTES = 64 * 1024 * 1024;

export interface GuardOptions {
  /** What is in force for a project, with folders that systems have there. Asked anew for each file. */
  rules: (project: string, systems: readonly string[]) => FileRules;
  /** Source folders of the systems that sessions of the project have loaded, as their images claim. */
  systems: (project: string) => Promise<readonly string[]>;
}

/** A path that was allowed, and the rules that allowed it. */
interface Allowed {
  /** As it was asked for, made absolute. */
  asked: string;
  real: string;
  rules: FileRules;
}

/** `mode` is the file's permissions. */
interface Content {
  bytes: Uint8Array;
  hash: string;
  mode: number;
}

export class FileGuard {
  readonly #options: GuardOptions;

  constructor(options: GuardOptions) {
    this.#options = options;
  }

  /** @throws HarborError `path_not_allowed`, `secret_path`, `file_missing`, `not_a_file` */
  async read(project: string, file: string): Promise<{ path: string; bytes: Uint8Array; hash: string }> {
    const allowed = await this.#allow(project, file, 'read');
    return toldOf(allowed.asked, () =>
      inFolderOf(allowed.real, async (folder, name) => {
        const { bytes, hash } = await contentOf(folder, name, allowed);
        return { path: allowed.real, bytes, hash };
      }),
    );
  }

  /**
   * Replaces a file at once or not at all, and makes the folders above a new one.
   * @param expectedHash of the file as the caller knows it; null for one that must not be there yet
   * @throws HarborError as `read`, and `file_exists`, `hash_mismatch`
   */
  async write(
    project: string,
    file: string,
    bytes: Uint8Array,
    expectedHash: string | null,
  ): Promise<{ path: string; hash: string }> {
    const allowed = await this.#allow(project, file, 'write');
    const inFolder = expectedHash === null ? inNewFolderOf : inFolderOf;
    await toldOf(allowed.asked, () =>
      inFolder(allowed.real, async (folder, name) => {
        const current = await contentOf(folder, name, allowed).catch(nullWhenMissing);
        checkExpected(current, expectedHash, allowed.asked);
        await putFile(folder, name, bytes, current?.mode ?? null).catch((error: unknown) => {
          throw systemCode(error) === 'EEXIST' ? alreadyThere(allowed.asked) : error;
        });
      }),
    );
    return { path: allowed.real, hash: hashOf(bytes) };
  }

  /** What a folder holds, hidden files too, in no particular order. A link is told as what it leads to, if that may be read.
   * @throws HarborError as `read`; `not_a_file` for what is no folder */
  async list(
    project: string,
    file: string,
  ): Promise<{ path: string; entries: { name: string; type: 'file' | 'directory' }[] }> {
    const allowed = await this.#allow(project, file, 'read');
    return toldOf(allowed.asked, async () => {
      const opened = await OpenedFolder.open(allowed.real).catch((error: unknown) => {
        throw systemCode(error) === 'ENOTDIR' ? notAFolder(allowed.asked) : error;
      });
      return closing(opened, async (folder) => {
        const names = await readdir(folder.at(''));
        const entries = await Promise.all(
          names.map((name) => entryOf(path.join(allowed.real, name), allowed)),
        );
        return { path: allowed.real, entries: entries.filter((entry) => entry !== null) };
      });
    });
  }

  /** @throws HarborError `path_not_allowed`, `secret_path` */
  async #allow(project: string, file: string, use: FileUse): Promise<Allowed> {
    const { rules: rulesOf, systems } = this.#options;
    const rules = rulesOf(project, []);
    const unfit = refusedText(file, rules.platform);
    if (unfit !== null) throw new HarborError('path_not_allowed', `${JSON.stringify(file)} ${unfit}.`);
    const asked = path.resolve(project, file);
    const real = realPath(asked);
    const decision = decideFile(real, use, rules);
    if (decision.allowed) return { asked, real, rules };
    // Images are asked only when it depends on them.
    const loaded = decision.rule === 'not_loaded' ? rulesOf(project, await systems(project)) : rules;
    const refused = refusal(decideFile(real, use, loaded), asked, project);
    if (refused) throw refused;
    return { asked, real, rules: loaded };
  }
}

/** @throws HarborError `not_a_file`, `secret_path`, or the system's error */
async function contentOf(folder: OpenedFolder, name: string, allowed: Allowed): Promise<Content> {
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
  return { bytes, hash: hashOf(bytes), mode: found.mode & 0o7777 };
}

function nullWhenMissing(error: unknown): null {
  if (systemCode(error) === 'ENOENT') return null;
  throw error;
}

/** @throws HarborError `file_exists`, `file_missing`, `hash_mismatch` */
function checkExpected(current: Content | null, expected: string | null, asked: string): void {
  if (current === null && expected !== null)
    throw new HarborError('file_missing', `There is no ${asked} any more; write it as a new file.`);
  if (current !== null && expected === null) throw alreadyThere(asked);
  if (current !== null && current.hash !== expected)
    throw new HarborError('hash_mismatch', `${asked} has changed since it was read. Read it again first.`);
}

function alreadyThere(asked: string): HarborError {
  return new HarborError(
    'file_exists',
    `${asked} is there already. Read it, and name its hash to replace it.`,
  );
}

async function entryOf(
  file: string,
  { rules }: Allowed,
): Promise<{ name: string; type: 'file' | 'directory' } | null> {
  if (!decideFile(realPath(file), 'read', rules).allowed) return null;
  const found = await stat(file).catch(() => null);
  if (!found?.isFile() && !found?.isDirectory()) return null;
  return { name: path.basename(file), type: found.isFile() ? 'file' : 'directory' };
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
