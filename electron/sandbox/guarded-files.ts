/**
 * Reads and writes files for clients: decides by the allow-list, then acts on what is open, not on its name. What a
 * name leads to can change between the two, because code in an image may write in its project at any time.
 */
import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import path from 'node:path';
import type { FileCaller } from '../contract/approvals';
import { HarborError } from '../contract/errors';
import {
  type ClaimedSystem,
  decideFile,
  type FileDecision,
  type FileRules,
  type FileUse,
  refusal,
  secretRefusal,
} from './file-policy';
import { notAFile, systemCode, toldOf } from './file-refusals';
import { FileTurns } from './file-turns';
import { type Allowed, type ListedFolder, listFolder, namingOthers } from './listed-folder';
import { type NewFiles, putFolder } from './new-folder';
import type { OpenedFolder } from './opened-folder';
import { inFolderOf, inNewFolderOf } from './opened-path';
import { refusedText } from './path-text';
import type { ReadRequests } from './read-requests';
import { realPath } from './real-path';
import { putFile, type Replaced } from './replaced-file';
import { secretBehind } from './secret-files';

/** Of a file that is read whole. */
const MOST_BYTES = 64 * 1024 * 1024;
/** Of a folder that is listed. */
const MOST_LISTED = 20_000;

export interface GuardOptions {
  /** What is in force for a project, with folders that systems have there. Asked anew for each file. */
  rules: (project: string, systems: readonly ClaimedSystem[]) => FileRules;
  /** The systems that sessions of the project have loaded, as their images claim. */
  systems: (project: string) => Promise<readonly ClaimedSystem[]>;
  /** Asks a person about what a loaded system is said to have beyond; absent: nobody is asked. */
  asked?: ReadRequests;
  /** Entries of a folder that are looked at; as many as anybody reads unless given. */
  mostListed?: number;
}

/** A path and what the rules say of it. */
interface Decided extends Allowed {
  decision: FileDecision;
}

/** Two texts of one file come to the same 12 digits by no accident that anybody would see. */
const HASH_DIGITS = 12;

/** A file as it was read: its real path, and what a later write names as its hash. */
interface FileBytes {
  path: string;
  bytes: Uint8Array;
  hash: string;
}

interface Content extends Replaced {
  bytes: Uint8Array;
  hash: string;
}

export class FileGuard {
  readonly #options: GuardOptions;
  readonly #turns = new FileTurns();

  constructor(options: GuardOptions) {
    this.#options = options;
  }

  /**
   * @param caller whom a person is asked for, where the rules leave it to them; absent: nobody is asked
   * @throws HarborError `path_not_allowed`, `secret_path`, `file_missing`, `not_a_file`; `not_approved`, `paused` and
   * `cancelled` of what a person was asked about
   */
  async read(project: string, file: string, caller?: FileCaller): Promise<FileBytes> {
    return namingOthers(await this.#allow(project, file, 'read', caller), this.#most, readAllowed);
  }

  /**
   * Replaces a file by what `edit` makes of it, as one step: nobody else changes it through here meanwhile, and what
   * changes it from outside is told by its hash.
   * @param edit answers the new bytes, null to leave the file as it is, and whatever is to be told of that
   * @returns the hash of the file as it is then, and what else `edit` has answered
   * @throws HarborError as `read`, `hash_mismatch`, and whatever `edit` throws, which leaves the file as it is
   */
  async change<A>(
    project: string,
    file: string,
    edit: (current: FileBytes) => { bytes: Uint8Array | null; answer: A },
  ): Promise<{ path: string; hash: string; answer: A }> {
    const allowed = await this.#allow(project, file, 'write');
    return this.#turns.inTurn(allowed.real, async () => {
      const current = await namingOthers(allowed, this.#most, readAllowed);
      const { bytes, answer } = edit(current);
      const { path: real, hash } = bytes === null ? current : await putAllowed(allowed, bytes, current.hash);
      return { path: real, hash, answer };
    });
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
    return this.#turns.inTurn(allowed.real, () => putAllowed(allowed, bytes, expectedHash));
  }

  /**
   * Makes a folder with these files in it, and the folders above: all at once, or nothing.
   * @returns its real path
   * @throws HarborError as `read`, of the folder and of each file, and `file_exists` where anything is there
   */
  async create(project: string, folder: string, files: NewFiles): Promise<string> {
    const allowed = await this.#allow(project, folder, 'write');
    for (const file of files.keys()) await this.#allow(project, path.join(folder, file), 'write');
    const { real, asked } = allowed;
    await this.#turns.inTurn(real, () =>
      toldOf(asked, () => inNewFolderOf(real, (parent, name) => putFolder(parent, name, files))),
    );
    return real;
  }

  /** What a folder holds, hidden files too, in no particular order, and whether that is all. A link is told as what it leads
   * to, if that may be read.
   * @throws HarborError as `read`; `not_a_file` for what is no folder */
  async list(project: string, file: string, caller?: FileCaller): Promise<ListedFolder> {
    const found = await this.#allow(project, file, 'read', caller);
    return namingOthers(found, this.#most, (allowed) => listFolder(allowed, this.#most));
  }

  get #most(): number {
    return this.#options.mostListed ?? MOST_LISTED;
  }

  /** @throws HarborError `path_not_allowed`, `secret_path`, and as `ReadRequests.ask` */
  async #allow(project: string, file: string, use: FileUse, caller?: FileCaller): Promise<Allowed> {
    const unfit = refusedText(file, this.#options.rules(project, []).platform);
    if (unfit !== null) throw new HarborError('path_not_allowed', `${JSON.stringify(file)} ${unfit}.`);
    const asked = path.resolve(project, file);
    for (;;) {
      const decided = await this.#decide(project, asked, use, caller);
      const { real, rules, decision } = decided;
      if (decision.allowed) return decided;
      const system = decision.rule === 'not_listed' ? this.#options.asked?.systemOf(real, rules) : null;
      if (!system || !caller) throw refusal(decision, asked, project);
      // Whatever was answered: names may lead elsewhere by now, and only the rules open a file.
      await this.#options.asked?.ask({ project, real, system }, caller);
    }
  }

  async #decide(
    project: string,
    asked: string,
    use: FileUse,
    caller: FileCaller | undefined,
  ): Promise<Decided> {
    const { rules: rulesOf, systems } = this.#options;
    const real = realPath(asked);
    const rules = rulesOf(project, []);
    const decision = decideFile(real, use, rules);
    // Images are asked only when it depends on them.
    const mayDepend =
      !decision.allowed &&
      (decision.rule === 'not_loaded' ||
        (decision.rule === 'not_listed' && use === 'read' && caller !== undefined));
    if (!mayDepend) return { asked, real, rules, decision };
    const loaded = rulesOf(project, await systems(project));
    return { asked, real, rules: loaded, decision: decideFile(real, use, loaded) };
  }
}

function readAllowed(allowed: Allowed): Promise<FileBytes> {
  return toldOf(allowed.asked, () =>
    inFolderOf(allowed.real, async (folder, name) => {
      const { bytes, hash } = await contentOf(folder, name, allowed);
      return { path: allowed.real, bytes, hash };
    }),
  );
}

/** In the file's turn: nothing but the outside changes it between the check of its hash and the end. */
async function putAllowed(
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
  return { bytes, hash: hashOf(bytes), mode: found.mode & 0o7777, owner: found };
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

/** What tells one text of a file from another, to be said in few words: digits of its SHA-256. */
function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex').slice(0, HASH_DIGITS);
}
