/**
 * Requests to read files beyond the allow-list that belong to a loaded system, as an image says. What an image says opens
 * nothing: it is a reason to ask a person. A yes opens the system's folder for the project, until the session ends or for
 * good by an entry of the list. A no is remembered as long, so that a client that tries again asks nobody again.
 */
import type { AllowEntry, AllowRow } from '../contract/allow-list';
import type { ActTold, FileCaller } from '../contract/approvals';
import { HarborError } from '../contract/errors';
import { phrase } from '../contract/phrase';
import { visibleLine } from '../contract/visible-text';
import { type ClaimedSystem, claimRefusal, type FileRules } from './file-policy';
import { refusedText } from './path-text';
import { isWithin } from './project-rules';

/** A file, by its real path, and the system that it is said to belong to. */
export interface ClaimedFile {
  project: string;
  real: string;
  system: ClaimedSystem;
}

/** What a person is asked. */
export interface ReadQuestion extends FileCaller {
  /** The file. */
  code: string;
  told: ActTold;
  rule: string;
}

export interface ReadRequestsOptions {
  /** @throws HarborError when the answer is no, or there is none */
  ask: (question: ReadQuestion) => Promise<'once' | 'always'>;
  /** Whether there is a window in which a person can answer. */
  isAttended: () => boolean;
  isOpen: (session: string) => boolean;
  /** Why nobody is asked about a folder; null for one that a person may open. */
  problem: (folder: string) => string | null;
  /** Puts an entry on the allow-list.
   * @throws HarborError for a folder that can be no entry */
  add: (entry: AllowEntry) => void;
  /** Milliseconds since the epoch. */
  clock?: () => number;
}

/** The word on a folder, for as long as the session is open that claims it. */
interface Word {
  project: string;
  folder: string;
  session: string;
}

const RULE = 'no image opens files beyond the allow-list and the approved libraries by what it says';

export class ReadRequests {
  readonly #options: ReadRequestsOptions;
  #granted: Word[] = [];
  #refused: (Word & { client: string })[] = [];
  readonly #asking = new Map<string, Promise<void>>();

  constructor(options: ReadRequestsOptions) {
    this.#options = options;
  }

  /** What a person has opened for the project without an entry. */
  rows(project: string): AllowRow[] {
    this.#granted = this.#standing(this.#granted);
    return this.#granted
      .filter((word) => word.project === project)
      .map(({ folder, session }) => ({
        ...{ folder, project, power: 'read', reason: `opened until ${session} ends` },
        ...{ addedBy: 'window', addedAt: null, isDefault: false },
      }));
  }

  /** Takes a yes back that has no entry; false where there is none for that folder. */
  close(project: string | null, folder: string): boolean {
    const kept = this.#granted.filter((word) => word.project !== project || word.folder !== folder);
    const closed = kept.length < this.#granted.length;
    this.#granted = kept;
    return closed;
  }

  /** The system about which a person is asked; null where a file is refused without a question. Links must have been followed. */
  systemOf(real: string, { systems, platform }: FileRules): ClaimedSystem | null {
    const around = systems
      .filter(({ folder }) => isWithin(real, folder, platform) && refusedText(folder, platform) === null)
      .sort((a, b) => b.folder.length - a.folder.length);
    return around.find(({ folder }) => this.#options.problem(folder) === null) ?? null;
  }

  /**
   * Settles when the file has to be decided on anew: a person has opened its folder, or answered somebody else about it.
   * @throws HarborError `path_not_allowed` where nobody can be asked, `not_approved`, `paused`, `cancelled`
   */
  async ask(file: ClaimedFile, caller: FileCaller): Promise<void> {
    const { project, real, system } = file;
    if (!this.#options.isAttended()) throw claimRefusal(real, project, named(system));
    this.#refuseAgain(file, caller);
    const key = JSON.stringify([project, system.folder]);
    const other = this.#asking.get(key);
    if (other) return other.catch(() => undefined);
    const asked = this.#ask(file, caller).finally(() => this.#asking.delete(key));
    this.#asking.set(key, asked);
    return asked;
  }

  async #ask({ project, real, system }: ClaimedFile, { client, tool, signal }: FileCaller): Promise<void> {
    const { name, folder, session } = named(system);
    const word = { project, folder, session };
    const told = {
      wish: 'read' as const,
      meaning: phrase`A yes opens the whole folder ${folder} for reading, without the secrets in it. Session ${session} says that the system “${name}” has its sources there.`,
    };
    const question = { client, tool, code: real, told, rule: RULE, ...(signal ? { signal } : {}) };
    const reply = await this.#options.ask(question).catch((error: unknown) => {
      if (error instanceof HarborError && error.code === 'not_approved')
        this.#refused = [...this.#standing(this.#refused), { ...word, client }];
      throw error;
    });
    if (reply === 'once') this.#granted.push(word);
    else this.#add(word, `sources of the system ${name}, which ${client} asked to read`);
  }

  #add({ project, folder }: Word, reason: string): void {
    const addedAt = (this.#options.clock ?? Date.now)();
    this.#options.add({ folder, power: 'read', reason, addedBy: 'window', addedAt, project });
  }

  #refuseAgain({ project, system: { folder } }: ClaimedFile, { client }: FileCaller): void {
    this.#refused = this.#standing(this.#refused);
    const before = this.#refused.find(
      (word) => word.project === project && word.folder === folder && word.client === client,
    );
    if (!before) return;
    throw new HarborError(
      'not_approved',
      `A person has said no to reading ${folder}, and is not asked again until the session ${before.session} ends. They can open it in the window (Sandbox, Add to the allow-list).`,
    );
  }

  #standing<W extends Word>(words: readonly W[]): W[] {
    return words.filter(({ session }) => this.#options.isOpen(session));
  }
}

/** An image may name its systems as it likes. */
function named(system: ClaimedSystem): ClaimedSystem {
  return { ...system, name: visibleLine(system.name.slice(0, 100)) };
}
