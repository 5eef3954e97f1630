/**
 * Fetches the missing libraries of a session's project: one fetch at a time for each project, after the user
 * approved its command.
 */

import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Requester } from '../contract/approvals';
import { HarborError } from '../contract/errors';
import { type Phrase, phrase } from '../contract/phrase';
import type { AllowRow } from '../contract/sandbox';
import type { Engines } from '../images/discovery';
import { LibraryFetch } from '../images/library-fetch';
import type { FetchFolders, FetchPlan, ProjectLibraries } from '../images/optional-groups';
import type { Launcher } from '../launchers/launcher';
import type { Confinement } from '../sandbox/confinement';
import { isWithin, realPath } from '../sandbox/paths';
import type { RunningEvaluation } from './session/pending-evaluations';
import type { Session } from './session/session';

interface LibraryFetchesOptions {
  engines: Engines;
  launcher: Launcher;
  folders: LibraryFolders;
  confine: (project: string) => Confinement;
  /** @throws HarborError `project_not_approved` if the project has moved */
  checkProject: (project: string) => void;
}

/** The parts of a session that a fetch needs. */
type FetchingSession = Pick<Session, 'identity' | 'evaluate'>;

/** A fetch for the user to approve. */
interface PlannedFetch {
  /** The exact command. */
  line: string;
  /** Where it runs, and what it reads and writes, in sentences. */
  meaning: Phrase;
  /**
   * Queues the fetch in the session.
   * @throws HarborError `busy`, `session_ended`, `project_not_approved`
   */
  begin(requester: Requester): RunningEvaluation;
}

export class LibraryFetches {
  readonly #options: LibraryFetchesOptions;
  /** Projects with a running or starting fetch. */
  readonly #busy = new Set<string>();

  constructor(options: LibraryFetchesOptions) {
    this.#options = options;
  }

  /**
   * @param system the missing system; absent: everything that the project needs
   * @throws HarborError `not_supported`, `bad_arguments`, `engine_unavailable` with the next step
   */
  async plan(session: FetchingSession, system?: string): Promise<PlannedFetch> {
    const { project, engine, server } = session.identity;
    const { fetcher } = this.#options.engines.get(engine);
    if (server || !fetcher) throw notOffered(engine, server !== undefined);
    const { readable } = this.#options.confine(project);
    // Folders inside the project are not listed.
    const libraries = readable.filter((folder) => !isWithin(folder, project, process.platform));
    const folders = this.#options.folders.of(project);
    const named = system === undefined ? {} : { system };
    const plan = await fetcher.plan({ project, folders, libraries, ...named });
    return {
      line: plan.line,
      meaning: this.#meaning(plan, project),
      begin: (requester) => this.#begin(session, plan, requester),
    };
  }

  #meaning({ reads, program }: FetchPlan, project: string): Phrase {
    const { sandbox } = this.#options.launcher;
    const { fetched } = this.#options.folders.of(project);
    const seen = reads.length === 0 ? 'none of your folders' : reads.join(', ');
    return [
      ...phrase`Run by ${program.command} for ${project}, `,
      sandbox.confined ? 'in the sandbox' : 'not sandboxed',
      ', with network access: code of the project and of the fetched libraries may run. ',
      ...phrase`It reads ${seen}, and writes to ${fetched}.`,
    ];
  }

  #begin(session: FetchingSession, plan: FetchPlan, { client, grant }: Requester): RunningEvaluation {
    const { launcher, confine, folders, checkProject } = this.#options;
    const { project } = session.identity;
    checkProject(project);
    if (this.#busy.has(project))
      throw new HarborError('busy', `A fetch for ${project} is already running. Wait until it ends.`);
    const fetch = new LibraryFetch({
      plan,
      launcher,
      folders: folders.of(project),
      confinement: confine(project),
    });
    const evaluation = session.evaluate({
      client: client.key,
      grant,
      kind: 'load',
      code: plan.line,
      outside: fetch,
    });
    this.#busy.add(project);
    void evaluation.settled.then(() => {
      this.#busy.delete(project);
      folders.count(project);
    });
    return evaluation;
  }
}

function notOffered(engine: string, attached: boolean): HarborError {
  return new HarborError(
    'not_supported',
    attached
      ? 'This session is attached to a server that the harbor did not start. Fetch its libraries there, or open a session that the harbor starts.'
      : `Sessions of ${engine} cannot fetch libraries. Sessions of sbcl fetch systems with Quicklisp; sessions of clojure fetch what the project’s build file names.`,
  );
}

/**
 * The folders of fetched libraries, one for each project: a fetch runs code of the project, which must not
 * change the libraries of another project.
 */
export class LibraryFolders {
  readonly #root: string;
  readonly #fetches = new Map<string, number>();

  /**
   * @param root has a folder for each project, with a part that sandboxes may write and a part that they may
   *   not
   */
  constructor(root: string) {
    // Sandboxes need real paths.
    this.#root = realPath(root);
  }

  of(project: string): FetchFolders {
    const hash = createHash('sha256').update(project).digest('hex').slice(0, 16);
    const folder = path.join(this.#root, `${path.basename(project)}-${hash}`);
    const inside = (name: string) => path.join(folder, name);
    return {
      fetched: inside('fetched'),
      settings: inside('settings'),
      temporary: inside('tmp'),
      work: inside('work'),
    };
  }

  /** Creates the folder, so that a new image sees libraries that are fetched later. */
  forImage(project: string): ProjectLibraries {
    const { fetched, settings } = this.of(project);
    mkdirSync(fetched, { recursive: true, mode: 0o700 });
    return { folder: fetched, settings, fetches: this.#fetches.get(project) ?? 0 };
  }

  /** Counts a fetch of the project. */
  count(project: string): void {
    this.#fetches.set(project, (this.#fetches.get(project) ?? 0) + 1);
  }
}

/**
 * Library folders that files may be read from because sessions of the project use them, for the list of the
 * sandbox.
 */
export function libraryRows(sessions: readonly Session[], project: string): AllowRow[] {
  return sessions.flatMap(({ identity, libraryFolder }): AllowRow[] => {
    if (identity.project !== project || libraryFolder === undefined) return [];
    const reason = `libraries of ${identity.engine} sessions`;
    const row = { folder: libraryFolder, project, power: 'read', reason } as const;
    return [{ ...row, addedBy: 'default', addedAt: null, isDefault: true }];
  });
}
