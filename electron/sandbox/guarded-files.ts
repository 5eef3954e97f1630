/**
 * Reads and writes files for clients: decides by the allow-list, then acts on what is open, not on its name. What a
 * name leads to can change between the two, because code in an image may write in its project at any time.
 */
import path from 'node:path';
import type { FileCaller } from '../contract/approvals';
import { HarborError } from '../contract/errors';
import { type FileBytes, putAllowed, readAllowed, removeAllowed } from './allowed-file';
import {
  type ClaimedSystem,
  decideFile,
  type FileDecision,
  type FileRules,
  type FileUse,
  refusal,
} from './file-policy';
import { toldOf } from './file-refusals';
import { FileTurns } from './file-turns';
import { type EditAll, FilesAtOnce } from './files-at-once';
import { type Allowed, type ListedFolder, listFolder, namingOthers } from './listed-folder';
import { type NewFiles, putFolder } from './new-folder';
import { inNewFolderOf } from './opened-path';
import { refusedText } from './path-text';
import type { ReadRequests } from './read-requests';
import { realPath } from './real-path';

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
    return this.#turns.inTurn([allowed.real], async () => {
      const current = await namingOthers(allowed, this.#most, readAllowed);
      const { bytes, answer } = edit(current);
      const { path: real, hash } = bytes === null ? current : await putAllowed(allowed, bytes, current.hash);
      return { path: real, hash, answer };
    });
  }

  /**
   * Changes several files as one step: what `edit` makes of them is written whole, or nothing is. Nobody else changes any of them
   * through here meanwhile.
   * @param edit gets each file as it is, or why it cannot be changed, in the order of `files`; what it throws leaves all as they are
   * @throws HarborError as `change`; `PartlyWritten` where something from outside kept a file from being put back
   */
  async changeAll<A>(
    project: string,
    files: readonly string[],
    edit: EditAll<A>,
  ): Promise<{ hashes: ReadonlyMap<string, string>; answer: A }> {
    const allowed = await Promise.all(
      files.map((file) => this.#allow(project, file, 'write').catch(refused)),
    );
    const all = new FilesAtOnce(allowed, this.#most);
    return this.#turns.inTurn(all.places, () => all.change(edit));
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
    return this.#turns.inTurn([allowed.real], () => putAllowed(allowed, bytes, expectedHash));
  }

  /** Takes a file away that still is what the caller knows. @throws HarborError as `change` */
  async remove(project: string, file: string, hash: string): Promise<void> {
    const allowed = await this.#allow(project, file, 'write');
    await this.#turns.inTurn([allowed.real], () => removeAllowed(allowed, hash));
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
    await this.#turns.inTurn([real], () =>
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

  /** What the rules say of a file. Nothing is opened, and nobody is asked.
   * @throws HarborError `path_not_allowed` for what is no path */
  async judge(project: string, file: string, use: FileUse): Promise<FileDecision> {
    const asked = this.#asked(project, file);
    return (await this.#decide(project, asked, use, { client: '', tool: '' })).decision;
  }

  get #most(): number {
    return this.#options.mostListed ?? MOST_LISTED;
  }

  /** @throws HarborError `path_not_allowed`, `secret_path`, and as `ReadRequests.ask` */
  async #allow(project: string, file: string, use: FileUse, caller?: FileCaller): Promise<Allowed> {
    const asked = this.#asked(project, file);
    for (;;) {
      const decided = await this.#decide(project, asked, use, caller);
      const { real, rules, decision } = decided;
      if (decision.allowed) return decided;
      const system = decision.rule === 'not_listed' ? this.#options.asked?.systemOf(real, rules) : null;
      if (!system || !caller) throw refusal(decision, asked, project, use);
      // Whatever was answered: names may lead elsewhere by now, and only the rules open a file.
      await this.#options.asked?.ask({ project, real, system }, caller);
    }
  }

  /** The absolute path that a call means. */
  #asked(project: string, file: string): string {
    const unfit = refusedText(file, this.#options.rules(project, []).platform);
    if (unfit !== null) throw new HarborError('path_not_allowed', `${JSON.stringify(file)} ${unfit}.`);
    return path.resolve(project, file);
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

function refused(error: unknown): HarborError {
  if (error instanceof HarborError) return error;
  throw error;
}
