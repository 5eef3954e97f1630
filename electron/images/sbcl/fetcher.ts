/**
 * Fetches systems with Quicklisp: a plain SBCL copies Quicklisp's client, without installed systems, and lets
 * the copy install what is missing. Systems that ASDF finds in the project or in this machine's libraries are
 * not fetched.
 */

import path from 'node:path';
import { HarborError } from '../../contract/errors';
import { lispString } from '../../contract/knowledge';
import { mention, ours } from '../../contract/mention';
import { filesBelow } from '../../sandbox/project-files';
import { FETCHED_DISTS, quicklispOf, sourceRegistry } from '../agent/source-registry';
import { namesWithin } from '../library-fetch';
import type { FetchPlan, FetchRequest, LibraryFetcher } from '../optional-groups';
import type { Installation } from './installation';

export interface SbclFetcherOptions {
  installation: () => Promise<Installation>;
  /** The file resources/quicklisp/fetch.lisp. */
  script: string;
}

const INSTALL =
  'Quicklisp is not installed, or this project may not read it: there is no ~/quicklisp on its allow-list. The user can install it (https://www.quicklisp.org/beta/#installation) or allow it.';

export class SbclFetcher implements LibraryFetcher {
  readonly #options: SbclFetcherOptions;

  constructor(options: SbclFetcherOptions) {
    this.#options = options;
  }

  async plan(request: FetchRequest): Promise<FetchPlan> {
    const { project, system, folders, libraries } = request;
    if (system === undefined)
      throw new HarborError('bad_arguments', 'Name the system to fetch, such as system: "alexandria".');
    const quicklisp = quicklispOf(libraries);
    if (quicklisp === undefined) throw new HarborError('engine_unavailable', INSTALL);
    const installation = await this.#options.installation();
    const copy = path.join(folders.fetched, 'quicklisp');
    const seen = (await isOfProject(system, project)) ? [project] : [];
    return {
      line: `(ql:quickload ${lispString(system)})`,
      program: this.#program(installation, request, [quicklisp, copy, system]),
      reads: [...seen, ...libraries],
      settings: {},
      next: mention`${ours('load', 'system')} with system: ${JSON.stringify(system)} loads it, also in open sessions.`,
      inventory: () => releasesIn(folders.fetched),
    };
  }

  #program(
    { runtime, home }: Installation,
    { project, folders, libraries }: FetchRequest,
    words: readonly string[],
  ): FetchPlan['program'] {
    const { script } = this.#options;
    return {
      command: runtime,
      args: [
        ...['--noinform', '--disable-ldb', '--end-runtime-options', '--no-sysinit', '--no-userinit'],
        ...['--disable-debugger', '--non-interactive', '--load', script, '--end-toplevel-options', ...words],
      ],
      env: {
        PATH: '/usr/local/bin:/usr/bin:/bin',
        HOME: folders.fetched,
        LANG: 'C.UTF-8',
        TMPDIR: folders.temporary,
        // Images have their own caches, so compiled files are discarded.
        XDG_CACHE_HOME: folders.temporary,
        SBCL_HOME: home,
        CL_SOURCE_REGISTRY: sourceRegistry(project, { readable: libraries }),
      },
      cwd: folders.work,
      needs: [runtime, home, script],
    };
  }
}

/** Reports whether the project defines the system; then its definitions are needed to find dependencies. */
async function isOfProject(system: string, project: string): Promise<boolean> {
  const file = `${system.replace(/\/.*/s, '')}.asd`.toLowerCase();
  for await (const name of filesBelow(project)) if (path.basename(name).toLowerCase() === file) return true;
  return false;
}

/** Releases as named by the dists, such as `alexandria-20240101-git`. */
async function releasesIn(fetched: string): Promise<string[]> {
  const dists = await namesWithin(fetched, FETCHED_DISTS);
  const releases = dists.map((dist) => namesWithin(fetched, path.join(FETCHED_DISTS, dist, 'software')));
  return (await Promise.all(releases)).flat();
}
