/**
 * What a Clojure project's build tool is run with to fetch the libraries that the build file names. It keeps them in a home
 * of its own; the person's Maven repository is one more to fetch from, so nothing that is there comes over the network.
 */
import path from 'node:path';
import { HarborError } from '../../contract/errors';
import { isWithin } from '../../sandbox/project-rules';
import { realPath } from '../../sandbox/real-path';
import { findJava, INSTALL_JAVA, type Java } from '../java';
import { namesWithin } from '../library-fetch';
import type { FetchPlan, FetchRequest, LibraryFetcher } from '../library-fetcher';
import { clojureData } from '../nrepl/clojure-code';
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

const NEXT =
  'A JVM keeps the classpath that it began with; new sessions have the new one. `load` without arguments gives it to this session.';

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

/** The project, and the folders of local projects that it names. Folders only: whoever writes there could put a link in the
 * place of a single file, and from outside of the sandbox that link would be followed. */
async function readsOf({ file }: BuildTool, { project, libraries }: FetchRequest): Promise<string[]> {
  const seen = new Set<string>();
  const all = await declaredIn(file, project, { allowed: [project, ...libraries], seen });
  const roots = [...seen, ...(all?.roots ?? []).map((root) => path.resolve(project, root))];
  const named = libraries.filter((folder) => roots.some((root) => isWithin(root, folder, process.platform)));
  // Of one that is reached by a link, what that leads to is a library as well.
  const real = named.map(realPath).filter((folder) => libraries.includes(folder));
  return [...new Set([project, ...named, ...real])];
}

/** The person's repository before all others; those on a disk have no checksums. */
function leiningenProfiles(own: string | undefined): string {
  if (own === undefined) return '{}\n';
  const repositories = `^:prepend [["own" {:url ${clojureData(own)} :checksum :ignore}]]`;
  return `{:user {:repositories ${repositories} :plugin-repositories ${repositories}}}\n`;
}

/** `org/made/core-0.1.0.jar`, by where a repository has it. */
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
    `There is nothing to fetch: ${project} has no build file (${files}) that names libraries.`,
  );
}

function noTool({ programs, file, fetches }: BuildTool, java: Java | undefined): HarborError {
  const how = java ? `Install ${programs[0] ?? file}` : INSTALL_JAVA;
  return new HarborError(
    'engine_unavailable',
    `The libraries of ${file} are fetched by \`${fetches}\`, which is not on this machine. ${how}, then call again.`,
  );
}
