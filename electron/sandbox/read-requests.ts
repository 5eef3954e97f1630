/**
 * Approval requests to read files outside the allow-list that an image claims for a loaded system. A claim
 * opens nothing by itself; it is a reason to ask the user. Approval opens the system's folder for the project
 * until the session ends, or permanently with an allow-list entry. A denial is remembered as long, so a
 * client that retries does not ask again.
 */

import type { ActExplanation, FileCaller } from '../contract/approvals';
import { HarborError } from '../contract/errors';
import { phrase } from '../contract/phrase';
import type { AllowEntry, AllowRow } from '../contract/sandbox';
import { visibleLine } from '../contract/visible-text';

import { type ClaimedSystem, claimRefusal, type FileRules, pathTextProblem } from './file-policy';

import { isWithin } from './paths';

/** A file (real path) and the system it is claimed for. */
export interface ClaimedFile {
  project: string;
  real: string;
  system: ClaimedSystem;
}

/** The request shown to the user. */
export interface ReadApproval extends FileCaller {
  /** The file path. */
  code: string;
  explanation: ActExplanation;
  rule: string;
}

export interface ReadRequestsOptions {
  /** @throws HarborError if the user denies it or does not answer */
  confirm: (question: ReadApproval) => Promise<'once' | 'always'>;
  /** Reports whether there is a window in which the user can answer. */
  isAttended: () => boolean;
  isOpen: (session: string) => boolean;
  /** Returns why the user is not asked about a folder; null if it may be opened. */
  problem: (folder: string) => string | null;
  /**
   * Adds an entry to the allow-list.
   * @throws HarborError if the folder cannot be an entry
   */
  add: (entry: AllowEntry) => void;
  /** Milliseconds since the epoch. */
  clock?: () => number;
}

/** The answer for a folder; valid while the claiming session is open. */
interface Answer {
  project: string;
  folder: string;
  session: string;
}

const RULE = 'claims by an image open no files outside the allow-list and the approved libraries';

export class ReadRequests {
  readonly #options: ReadRequestsOptions;
  #granted: Answer[] = [];
  #refused: (Answer & { client: string })[] = [];
  readonly #pending = new Map<string, Promise<void>>();

  constructor(options: ReadRequestsOptions) {
    this.#options = options;
  }

  /** Returns rows for folders that the user opened without an entry. */
  rows(project: string): AllowRow[] {
    this.#granted = this.#current(this.#granted);
    return this.#granted
      .filter((answer) => answer.project === project)
      .map(({ folder, session }) => ({
        ...{ folder, project, power: 'read', reason: `opened until ${session} ends` },
        ...{ addedBy: 'window', addedAt: null, isDefault: false },
      }));
  }

  /** Revokes an approval without an entry; returns false if there is none for that folder. */
  close(project: string | null, folder: string): boolean {
    const remaining = this.#granted.filter(
      (answer) => answer.project !== project || answer.folder !== folder,
    );
    const closed = remaining.length < this.#granted.length;
    this.#granted = remaining;
    return closed;
  }

  /**
   * Returns the system to ask the user about; null if the file is refused without asking. `real` must have
   * links resolved.
   */
  systemOf(real: string, { systems, platform }: FileRules): ClaimedSystem | null {
    const around = systems
      .filter(({ folder }) => isWithin(real, folder, platform) && pathTextProblem(folder, platform) === null)
      .sort((a, b) => b.folder.length - a.folder.length);
    return around.find(({ folder }) => this.#options.problem(folder) === null) ?? null;
  }

  /**
   * Resolves when the file must be decided again: the user opened its folder, or answered another caller
   * about it.
   * @throws HarborError `path_not_allowed` if there is no window, `not_approved`, `paused`, `cancelled`
   */
  async request(file: ClaimedFile, caller: FileCaller): Promise<void> {
    const { project, real, system } = file;
    if (!this.#options.isAttended()) throw claimRefusal(real, project, named(system));
    this.#refuseAgain(file, caller);
    const key = JSON.stringify([project, system.folder]);
    const other = this.#pending.get(key);
    if (other) return other.catch(() => undefined);
    const pending = this.#requestApproval(file, caller).finally(() => this.#pending.delete(key));
    this.#pending.set(key, pending);
    return pending;
  }

  async #requestApproval(
    { project, real, system }: ClaimedFile,
    { client, tool, signal }: FileCaller,
  ): Promise<void> {
    const { name, folder, session } = named(system);
    const answer = { project, folder, session };
    const explanation = {
      wish: 'read' as const,
      meaning: phrase`This opens the whole folder ${folder} for reading, except for secrets in it. Session ${session} claims that the system “${name}” has its sources there.`,
    };
    const question = { client, tool, code: real, explanation, rule: RULE, ...(signal ? { signal } : {}) };
    const reply = await this.#options.confirm(question).catch((error: unknown) => {
      if (error instanceof HarborError && error.code === 'not_approved')
        this.#refused = [...this.#current(this.#refused), { ...answer, client }];
      throw error;
    });
    if (reply === 'once') this.#granted.push(answer);
    else this.#add(answer, `sources of the system ${name}, requested by ${client}`);
  }

  #add({ project, folder }: Answer, reason: string): void {
    const addedAt = (this.#options.clock ?? Date.now)();
    this.#options.add({ folder, power: 'read', reason, addedBy: 'window', addedAt, project });
  }

  #refuseAgain({ project, system: { folder } }: ClaimedFile, { client }: FileCaller): void {
    this.#refused = this.#current(this.#refused);
    const before = this.#refused.find(
      (answer) => answer.project === project && answer.folder === folder && answer.client === client,
    );
    if (!before) return;
    throw new HarborError(
      'not_approved',
      `The user denied reading ${folder} and is not asked again until the session ${before.session} ends. They can allow it in the window (Sandbox, Add to the allow-list).`,
    );
  }

  #current<W extends Answer>(answers: readonly W[]): W[] {
    return answers.filter(({ session }) => this.#options.isOpen(session));
  }
}

/** Cleans the name, which the image chooses. */
function named(system: ClaimedSystem): ClaimedSystem {
  return { ...system, name: visibleLine(system.name.slice(0, 100)) };
}
