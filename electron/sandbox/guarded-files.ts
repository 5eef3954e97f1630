/**
 * Reads and writes files for clients: decides by the allow-list, then works on opened descriptors rather than
 * names, because code in an image can change what a name refers to at any time.
 */

import path from 'node:path';
import type { FileCaller } from '../contract/approvals';
import { HarborError } from '../contract/errors';
import { OpenedFolder, reportingErrors, withNewParentFolder } from '../host/opened-folder';
import {
  type Allowed,
  type FileBytes,
  type ListedFolder,
  listFolder,
  readAllowed,
  readIn,
  removeAllowed,
  suggestingNames,
  writeAllowed,
} from './allowed-file';
import {
  type ClaimedSystem,
  decideFile,
  type FileDecision,
  type FileRules,
  type FileUse,
  pathTextProblem,
  refusal,
} from './file-policy';
import { type EditAll, FileTransaction } from './file-transaction';
import { createFolder, type NewFiles } from './folder-tree';
import { completedRepository, isPartOfRepository, REPOSITORY_REASON } from './git-repositories';
import { isWithin, realPath } from './paths';
import type { ReadRequests } from './read-requests';

/** Maximum number of entries of a folder listing. */
const MOST_LISTED = 20_000;

/** Number of files of one folder that are read by the same rules, and of those that are read at once. */
const BY_ONE_RULE = 512;
const AT_ONCE = 8;

interface GuardOptions {
  /** Returns the rules of a project, given claimed systems. Called for each file. */
  rules: (project: string, systems: readonly ClaimedSystem[]) => FileRules;
  /** Returns the systems that sessions of the project have loaded, as their images claim. */
  systems: (project: string) => Promise<readonly ClaimedSystem[]>;
  /**
   * Asks the user about files that a loaded system claims outside the allow-list; absent if the user is never
   * asked.
   */
  readRequests?: ReadRequests;
  /** Maximum number of folder entries to look at; MOST_LISTED by default. */
  mostListed?: number;
}

/** A path and the decision of the rules. */
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
   * @param caller the client on whose behalf the user may be asked; absent: the user is not asked
   * @throws HarborError `path_not_allowed`, `secret_path`, `file_missing`, `not_a_file`; `not_approved`,
   *   `paused` and `cancelled` from the approval
   */
  async read(project: string, file: string, caller?: FileCaller): Promise<FileBytes> {
    return suggestingNames(await this.#allow(project, file, 'read', caller), this.#most, readAllowed);
  }

  /**
   * Yields files of one folder, without those that cannot be read. The rules are computed again after each
   * `BY_ONE_RULE` files, because computing them takes longer than reading a file.
   * @throws HarborError `path_not_allowed` if the text is not a valid path
   */
  async *readEach(project: string, folder: string, names: readonly string[]): AsyncGenerator<FileBytes> {
    const requested = this.#absolutePath(project, folder);
    const opened = await OpenedFolder.open(realPath(requested)).catch(() => null);
    if (opened === null) return;
    try {
      for (let start = 0; start < names.length; start += BY_ONE_RULE) {
        const rules = this.#options.rules(project, []);
        const read = (name: string) => this.#readIn(opened, project, path.join(requested, name), rules);
        const waiting = names.slice(start, start + BY_ONE_RULE);
        while (waiting.length > 0)
          for (const file of await Promise.all(waiting.splice(0, AT_ONCE).map(read))) if (file) yield file;
      }
    } finally {
      await opened.close();
    }
  }

  /** Returns null if the file cannot be read. */
  #readIn(
    opened: OpenedFolder,
    project: string,
    requested: string,
    rules: FileRules,
  ): Promise<FileBytes | null> {
    const real = realPath(requested);
    const isDecided =
      path.dirname(real) === opened.real && decideFile(real, 'read', rules, requested).allowed;
    const read = isDecided ? readIn(opened, { requested, real, rules }) : this.read(project, requested);
    return read.catch(nullForRefused);
  }

  /**
   * Replaces a file by the result of `edit` in one step. Calls on the same file are serialized; changes by
   * other programs are detected by hash.
   * @param edit returns the new bytes (null leaves the file unchanged) and a result for the caller
   * @returns the hash of the resulting file, and the result of `edit`
   * @throws HarborError as `read`, `hash_mismatch`, and whatever `edit` throws, which leaves the file
   *   unchanged
   */
  async change<A>(
    project: string,
    file: string,
    edit: (current: FileBytes) => { bytes: Uint8Array | null; answer: A },
  ): Promise<{ path: string; hash: string; answer: A }> {
    const allowed = await this.#allow(project, file, 'write');
    return this.#turns.inTurn([allowed.real], async () => {
      const current = await suggestingNames(allowed, this.#most, readAllowed);
      const { bytes, answer } = edit(current);
      const { path: real, hash } =
        bytes === null ? current : await writeAllowed(allowed, bytes, current.hash);
      return { path: real, hash, answer };
    });
  }

  /**
   * Changes several files in one transaction: all results of `edit` are written, or none.
   * @param edit receives each file, or why it cannot be changed, in the order of `files`; if it throws, all
   *   files stay unchanged
   * @throws HarborError as `change`; `PartlyWritten` if another program kept a file from being rolled back
   */
  async changeAll<A>(
    project: string,
    files: readonly string[],
    edit: EditAll<A>,
  ): Promise<{ hashes: ReadonlyMap<string, string>; answer: A }> {
    const allowed = await Promise.all(
      files.map((file) => this.#allow(project, file, 'write').catch(refused)),
    );
    const all = new FileTransaction(allowed, this.#most);
    return this.#turns.inTurn(all.paths, () => all.change(edit));
  }

  /**
   * Writes a file atomically, and creates the parent folders of a new one.
   * @param expectedHash of the file as the caller knows it; null for a file that must not exist yet
   * @throws HarborError as `read`, and `file_exists`, `hash_mismatch`
   */
  async write(
    project: string,
    file: string,
    bytes: Uint8Array,
    expectedHash: string | null,
  ): Promise<{ path: string; hash: string }> {
    const allowed = await this.#allow(project, file, 'write');
    return this.#turns.inTurn([allowed.real, ...turnsOf([allowed.real])], async () => {
      refuseRepository(allowed, project, [allowed.real]);
      return writeAllowed(allowed, bytes, expectedHash);
    });
  }

  /** Removes a file if its hash still matches. @throws HarborError as `change` */
  async remove(project: string, file: string, hash: string): Promise<void> {
    const allowed = await this.#allow(project, file, 'write');
    await this.#turns.inTurn([allowed.real], () => removeAllowed(allowed, hash));
  }

  /**
   * Creates a folder with these files, and its parent folders, atomically.
   * @returns its real path
   * @throws HarborError as `read`, for the folder and each file, and `file_exists` if the path exists
   */
  async create(project: string, folder: string, files: NewFiles): Promise<string> {
    const allowed = await this.#allow(project, folder, 'write');
    for (const file of files.keys()) await this.#allow(project, path.join(folder, file), 'write');
    const { real, requested } = allowed;
    const made = [...files.keys()].map((file) => path.join(real, file));
    await this.#turns.inTurn([real, ...turnsOf(made)], async () => {
      refuseRepository(allowed, project, made);
      await reportingErrors(requested, () =>
        withNewParentFolder(real, (parent, name) => createFolder(parent, name, files)),
      );
    });
    return real;
  }

  /**
   * Lists a folder in no particular order, hidden files included. A link is listed as its target, if that may
   * be read.
   * @throws HarborError as `read`; `not_a_file` if it is not a folder
   */
  async list(project: string, file: string, caller?: FileCaller): Promise<ListedFolder> {
    const found = await this.#allow(project, file, 'read', caller);
    return suggestingNames(found, this.#most, (allowed) => listFolder(allowed, this.#most));
  }

  /**
   * Returns the decision of the rules without opening the file or asking the user.
   * @throws HarborError `path_not_allowed` if the text is not a valid path
   */
  async judge(project: string, file: string, use: FileUse): Promise<FileDecision> {
    const requested = this.#absolutePath(project, file);
    return (await this.#decide(project, requested, use, { client: '', tool: '' })).decision;
  }

  get #most(): number {
    return this.#options.mostListed ?? MOST_LISTED;
  }

  /** @throws HarborError `path_not_allowed`, `secret_path`, and as `ReadRequests.request` */
  async #allow(project: string, file: string, use: FileUse, caller?: FileCaller): Promise<Decided> {
    const requested = this.#absolutePath(project, file);
    for (;;) {
      const decided = await this.#decide(project, requested, use, caller);
      const { real, rules, decision } = decided;
      if (decision.allowed) return decided;
      const system =
        decision.rule === 'not_listed' ? this.#options.readRequests?.systemOf(real, rules) : null;
      if (!system || !caller) throw refusal(decision, requested, project, use);
      // The answer alone opens nothing: links may have changed, and only the rules open a file.
      await this.#options.readRequests?.request({ project, real, system }, caller);
    }
  }

  /** Returns the absolute path of the argument. */
  #absolutePath(project: string, file: string): string {
    const unfit = pathTextProblem(file, this.#options.rules(project, []).platform);
    if (unfit !== null) throw new HarborError('path_not_allowed', `${JSON.stringify(file)} ${unfit}.`);
    return path.resolve(project, file);
  }

  async #decide(
    project: string,
    requested: string,
    use: FileUse,
    caller: FileCaller | undefined,
  ): Promise<Decided> {
    const { rules: rulesOf, systems } = this.#options;
    const real = realPath(requested);
    const rules = rulesOf(project, []);
    const byRows = decideFile(real, use, rules, requested);
    const decision = use === 'write' ? withoutRepository(byRows, [real], rules) : byRows;
    // Images are queried only if the decision depends on them.
    const mayDepend =
      !decision.allowed &&
      (decision.rule === 'not_loaded' ||
        (decision.rule === 'not_listed' && use === 'read' && caller !== undefined));
    if (!mayDepend) return { requested, real, rules, decision };
    const loaded = rulesOf(project, await systems(project));
    return { requested, real, rules: loaded, decision: decideFile(real, use, loaded, requested) };
  }
}

/**
 * Refuses a write that would leave a folder which Git takes for a repository, unless the user opened it.
 * @param files real paths that will exist
 */
function withoutRepository(decision: FileDecision, files: readonly string[], rules: FileRules): FileDecision {
  const folder = decision.allowed ? completedRepository(files) : null;
  if (!decision.allowed || folder === null) return decision;
  const { row } = decision;
  const inside = (at: string, other: string) => isWithin(at, other, rules.platform);
  const isOpen =
    rules.opened?.some((each) => inside(folder, each)) === true ||
    rules.rows.some((each) => each.power === 'write' && !each.isDefault && inside(each.folder, folder));
  if (isOpen) return decision;
  const closed = { ...row, folder, power: 'read', reason: REPOSITORY_REASON, isDefault: true } as const;
  return { allowed: false, rule: 'read_only', row: closed };
}

/** @throws HarborError `path_not_allowed` */
function refuseRepository(
  { decision, rules, requested }: Decided,
  project: string,
  files: readonly string[],
) {
  const judged = withoutRepository(decision, files, rules);
  if (!judged.allowed) throw refusal(judged, requested, project, 'write');
}

/** Files that can complete a repository together are written one after the other. */
function turnsOf(files: readonly string[]): string[] {
  return files.some(isPartOfRepository) ? ['repository'] : [];
}

function nullForRefused(error: unknown): null {
  if (error instanceof HarborError) return null;
  throw error;
}

function refused(error: unknown): HarborError {
  if (error instanceof HarborError) return error;
  throw error;
}

/** Serializes work on files: two concurrent read-modify-write operations on one file would lose the first. */
class FileTurns {
  readonly #last = new Map<string, Promise<unknown>>();

  /**
   * Runs `work` after all earlier work on any of these files has settled. It waits for earlier work only, so
   * there is no deadlock.
   * @param files their real paths
   */
  async inTurn<T>(files: readonly string[], work: () => Promise<T>): Promise<T> {
    const mine = Promise.all(files.map((file) => this.#last.get(file))).then(work);
    const ended = mine.catch(() => undefined);
    for (const file of files) this.#last.set(file, ended);
    try {
      return await mine;
    } finally {
      for (const file of files) if (this.#last.get(file) === ended) this.#last.delete(file);
    }
  }
}
