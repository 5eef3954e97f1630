/** Fetches the libraries that a session's project misses: one fetch at a time for each project, told before it begins. */
import { HarborError } from '../contract/errors';
import { type Phrase, phrase } from '../contract/phrase';
import type { Engines } from '../images/discovery';
import { LibraryFetch } from '../images/library-fetch';
import type { FetchPlan } from '../images/library-fetcher';
import type { Launcher } from '../launchers/launcher';
import type { Confinement } from '../sandbox/confinement';
import { isWithin } from '../sandbox/project-rules';
import type { LibraryFolders } from './library-folders';
import type { RunningEvaluation } from './session/running-evaluation';
import type { Session } from './session/session';

export interface LibraryFetchesOptions {
  engines: Engines;
  launcher: Launcher;
  folders: LibraryFolders;
  confine: (project: string) => Confinement;
  /** @throws HarborError `project_not_approved` when the project has moved */
  checkProject: (project: string) => void;
}

/** What of a session a fetch needs. */
type FetchingSession = Pick<Session, 'identity' | 'evaluate'>;

/** What a person decides on. */
export interface PlannedFetch {
  /** Exactly what will run. */
  line: string;
  /** Where it runs, and what it reads and writes, in sentences. */
  meaning: Phrase;
  /** Queues it in the session. @throws HarborError `busy`, `session_ended`, `project_not_approved` */
  begin(client: string): RunningEvaluation;
}

export class LibraryFetches {
  readonly #options: LibraryFetchesOptions;
  /** Projects for which something is fetched, or is about to be. */
  readonly #busy = new Set<string>();

  constructor(options: LibraryFetchesOptions) {
    this.#options = options;
  }

  /** @param system what is missing; absent: all that the project needs
   * @throws HarborError `not_supported`, `bad_arguments`, `engine_unavailable` with what to do */
  async plan(session: FetchingSession, system?: string): Promise<PlannedFetch> {
    const { project, engine, server } = session.identity;
    const { fetcher } = this.#options.engines.get(engine);
    if (server || !fetcher) throw notOffered(engine, server !== undefined);
    const { readable } = this.#options.confine(project);
    // What is in the project is for the plan to show, or not.
    const libraries = readable.filter((folder) => !isWithin(folder, project, process.platform));
    const folders = this.#options.folders.of(project);
    const named = system === undefined ? {} : { system };
    const plan = await fetcher.plan({ project, folders, libraries, ...named });
    return {
      line: plan.line,
      meaning: this.#meaning(plan, project),
      begin: (client) => this.#begin(session, plan, client),
    };
  }

  #meaning({ reads, program }: FetchPlan, project: string): Phrase {
    const { sandbox } = this.#options.launcher;
    const { fetched } = this.#options.folders.of(project);
    const seen = reads.length === 0 ? 'nothing of yours' : reads.join(', ');
    return [
      ...phrase`Run by ${program.command} for ${project}, `,
      sandbox.confined ? 'in the sandbox' : 'not sandboxed',
      ', with the network: code of the project and of what it fetches may run. ',
      ...phrase`It reads ${seen}, and writes into ${fetched}.`,
    ];
  }

  #begin(session: FetchingSession, plan: FetchPlan, client: string): RunningEvaluation {
    const { launcher, confine, folders, checkProject } = this.#options;
    const { project } = session.identity;
    checkProject(project);
    if (this.#busy.has(project))
      throw new HarborError(
        'busy',
        `Libraries are being fetched for ${project} already. Wait until that ends.`,
      );
    const fetch = new LibraryFetch({
      plan,
      launcher,
      folders: folders.of(project),
      hidden: confine(project).hidden ?? [],
    });
    const evaluation = session.evaluate({ client, kind: 'load', code: plan.line, fetch });
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
      ? 'This session is attached to a server that somebody else started: fetch there what it misses, or open a session of the harbor’s own.'
      : `Libraries are not fetched for ${engine}. Sessions of sbcl fetch systems with Quicklisp, those of clojure what the project's build file names.`,
  );
}
