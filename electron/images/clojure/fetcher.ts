/**
 * What a Clojure project's build tool is run with to fetch the libraries that the build file names. It keeps them in a home
 * of its own; the person's Maven repository is one more to fetch from, so nothing that is there comes over the network.
 */
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { HarborError } from '../../contract/errors';
import { findJava, INSTALL_JAVA, type Java } from '../java';
import type { FetchPlan, FetchRequest, LibraryFetcher } from '../library-fetcher';
import { clojureData } from '../nrepl/clojure-data';
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

/** What tells of a local project that another one depends on. */
const MANIFESTS = ['deps.edn', 'pom.xml', 'project.clj'];

const NEXT =
  'A JVM keeps the classpath that it began with: `load` without arguments gives this session another one, and new sessions have it anyway.';

export class ClojureFetcher implements LibraryFetcher {
  readonly #options: SearchOptions;

  constructor(options: SearchOptions) {
    this.#options = options;
  }

  async plan({ project, folders }: FetchRequest): Promise<FetchPlan> {
    const { home, searchPath } = this.#options;
    const tool = await buildToolOf(project);
    if (!tool) throw noBuildFile(project);
    const program = await findBuildTool(tool, { searchPath, project });
    const java = await findJava(searchPath);
    if (program === undefined || !java) throw noTool(tool, java);
    const args = [...(await repositoryArgs(tool, home)), ...tool.fetchArgs];
    const { fetched: ownHome, temporary, settings } = folders;
    const kept = { folder: ownHome, settings };
    return {
      line: [path.basename(program), ...args.map(quoted)].join(' '),
      program: {
        command: program,
        args,
        env: await toolEnvironment({ java, home, kept, temporary, ownHome }),
        cwd: project,
        needs: await needs(program, java),
      },
      reads: [...(await readsOf(tool, project)), ...fetched(home)],
      settings: { 'profiles.clj': leiningenProfiles(await ownRepository(home)) },
      next: NEXT,
      inventory: () => archivesIn(path.join(ownHome, REPOSITORY)),
    };
  }
}

/** The build file, and those of local projects that it names: no source of the project. */
async function readsOf({ file }: BuildTool, project: string): Promise<string[]> {
  const folders = new Set<string>();
  const all = await declaredIn(file, project, folders);
  const roots = [...folders, ...(all?.roots ?? []).map((root) => path.resolve(project, root))];
  const archives = roots.filter((root) => root.endsWith('.jar'));
  const local = roots.filter((root) => root !== project && !root.endsWith('.jar'));
  const named = local.flatMap((root) => MANIFESTS.map((name) => path.join(root, name)));
  // shadow-cljs itself is a package of the project's.
  const packages = file === 'shadow-cljs.edn' ? ['package.json', 'node_modules'] : [];
  const own = [file, ...packages].map((name) => path.join(project, name));
  return [...own, ...named, ...archives];
}

/** Before all others. Repositories on a disk have no checksums. */
function leiningenProfiles(own: string | undefined): string {
  if (own === undefined) return '{}\n';
  const repositories = `^:prepend [["own" {:url ${clojureData(own)} :checksum :ignore}]]`;
  return `{:user {:repositories ${repositories} :plugin-repositories ${repositories}}}\n`;
}

/** `org/made/core-0.1.0.jar`, by where a repository has it. */
async function archivesIn(repository: string): Promise<string[]> {
  const names = await readdir(repository, { recursive: true }).catch(() => []);
  return names.filter((name) => name.endsWith('.jar'));
}

function quoted(argument: string): string {
  return /^[\w./:-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", "'\\''")}'`;
}

function noBuildFile(project: string): HarborError {
  const files = BUILD_TOOLS.map(({ file }) => file).join(', ');
  return new HarborError(
    'bad_arguments',
    `There is nothing to fetch: ${project} has no build file (${files}) that names libraries.`,
  );
}

function noTool({ programs, file, fetches }: BuildTool, java: Java | undefined): HarborError {
  const how = java ? `Install ${programs[0]}` : INSTALL_JAVA;
  return new HarborError(
    'engine_unavailable',
    `The libraries of ${file} are fetched by \`${fetches}\`, which is not on this machine. ${how}, then call again.`,
  );
}
