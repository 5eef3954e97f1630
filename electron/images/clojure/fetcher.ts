/**
 * Plans how to fetch a Clojure project's libraries with its build tool. The tool stores them in a separate
 * home; the user's Maven repository is an additional source, so that libraries in it are not downloaded.
 */

import path from 'node:path';
import { HarborError } from '../../contract/errors';
import { mention, ours } from '../../contract/mention';
import { isWithin, realPath } from '../../sandbox/paths';

import { findJava, INSTALL_JAVA, type Java } from '../java';
import { namesWithin } from '../library-fetch';
import { clojureData } from '../nrepl/clojure-code';
import type { FetchPlan, FetchRequest, LibraryFetcher } from '../optional-groups';
import {
  BUILD_TOOLS,
  type BuildTool,
  buildToolOf,
  fetched,
  findBuildTool,
  needs,
  ownRepository,
  REPOSITORY,
  repositoryArgs,
  toolEnvironment,
} from './build-tools';
import { declaredIn } from './class-path';
import type { SearchOptions } from './installation';

const NEXT = mention`A JVM keeps its classpath; new sessions get the new one. ${ours('load')} without arguments updates this session.`;

export class ClojureFetcher implements LibraryFetcher {
  readonly #options: SearchOptions;

  constructor(options: SearchOptions) {
    this.#options = options;
  }

  async plan(request: FetchRequest): Promise<FetchPlan> {
    const { project, folders } = request;
    const { home, searchPath } = this.#options;
    const tool = await buildToolOf(project);
    if (!tool) throw noBuildFile(project);
    const program = await findBuildTool(tool, { searchPath, project });
    const java = await findJava(searchPath);
    if (program === undefined || !java) throw noTool(tool, java);
    const args = [...(await repositoryArgs(tool, home)), ...tool.fetchArgs];
    const { fetched: ownHome, temporary, settings } = folders;
    const libraries = { folder: ownHome, settings };
    return {
      line: [path.basename(program), ...args.map(quoted)].join(' '),
      program: {
        command: program,
        args,
        env: await toolEnvironment({ java, home, libraries, temporary, ownHome }),
        cwd: folders.work,
        needs: await needs(program, java, project),
      },
      reads: [...(await readsOf(tool, request)), ...fetched(home, [request.project])],
      linked: project,
      settings: { 'profiles.clj': leiningenProfiles(await ownRepository(home)) },
      next: NEXT,
      inventory: () => archivesIn(ownHome),
    };
  }
}

/**
 * Returns the project, and the folders of local projects that it names. Folders only: code that can write
 * there could replace a single file by a link, which would be followed outside the sandbox.
 */
async function readsOf({ file }: BuildTool, { project, libraries }: FetchRequest): Promise<string[]> {
  const seen = new Set<string>();
  const all = await declaredIn(file, project, { allowed: [project, ...libraries], seen });
  const roots = [...seen, ...(all?.roots ?? []).map((root) => path.resolve(project, root))];
  const named = libraries.filter((folder) => roots.some((root) => isWithin(root, folder, process.platform)));
  // The target of a linked library is also a library.
  const real = named.map(realPath).filter((folder) => libraries.includes(folder));
  return [...new Set([project, ...named, ...real])];
}

/** The user's repository comes before all others; local ones have no checksums. */
function leiningenProfiles(own: string | undefined): string {
  if (own === undefined) return '{}\n';
  const repositories = `^:prepend [["own" {:url ${clojureData(own)} :checksum :ignore}]]`;
  return `{:user {:repositories ${repositories} :plugin-repositories ${repositories}}}\n`;
}

/** Archives such as `org/made/core-0.1.0.jar`, as in a repository. */
async function archivesIn(fetched: string): Promise<string[]> {
  const names = await namesWithin(fetched, REPOSITORY, { deep: true });
  return names.filter((name) => name.endsWith('.jar'));
}

function quoted(argument: string): string {
  return /^[\w./:+-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", "'\\''")}'`;
}

function noBuildFile(project: string): HarborError {
  const files = BUILD_TOOLS.map(({ file }) => file).join(', ');
  return new HarborError(
    'bad_arguments',
    `Nothing to fetch: ${project} has no build file (${files}) that names libraries.`,
  );
}

function noTool({ programs, file, fetches }: BuildTool, java: Java | undefined): HarborError {
  const how = java ? `Install ${programs[0] ?? file}` : INSTALL_JAVA;
  return new HarborError(
    'engine_unavailable',
    `The libraries of ${file} are fetched with \`${fetches}\`, which is not installed. ${how}, then try again.`,
  );
}
