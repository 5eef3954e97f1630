/**
 * The build tools of Clojure projects, asked for the classpath. What they do is the project's to say (Leiningen evaluates its
 * project file), so they run as confined as an image, without a network: what they have not fetched yet stays missing.
 */
import { lstat, readdir, readFile, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import type { Launched } from '../../launchers/launcher';
import { readWithin } from '../../sandbox/file-within';
import { isWithin } from '../../sandbox/project-rules';
import { isLedThrough, realPath } from '../../sandbox/real-path';
import { findProgram } from '../agent/programs';
import type { StartRequest } from '../image';
import type { Java } from '../java';
import { clojureData } from '../nrepl/clojure-code';
import { lastLines } from '../process-end';
import type { BuildFile } from './build-files';

export interface BuildTool {
  file: BuildFile;
  /** Names of the program, in the order in which they are looked for. */
  programs: readonly string[];
  args: readonly string[];
  /** Its arguments to fetch libraries. */
  fetchArgs: readonly string[];
  /** Its arguments to name one more Maven repository, by its URL; absent where it takes none as an argument. */
  withRepository?: (url: string) => readonly string[];
  /** What fetches libraries, for a person to type. */
  fetches: string;
  /** A word in the program's text by which the tool is known: Debian's `clojure` only starts Clojure. */
  mark?: string;
}

export const BUILD_TOOLS: readonly BuildTool[] = [
  {
    file: 'deps.edn',
    programs: ['clojure', 'clj'],
    args: ['-Spath'],
    fetchArgs: ['-P'],
    withRepository: (url) => ['-Sdeps', `{:mvn/repos {"own" {:url ${clojureData(url)}}}}`],
    fetches: 'clojure -P',
    mark: '-Spath',
  },
  {
    file: 'project.clj',
    programs: ['lein'],
    args: ['-o', 'classpath'],
    fetchArgs: ['deps'],
    fetches: 'lein deps',
  },
  {
    file: 'shadow-cljs.edn',
    programs: ['shadow-cljs'],
    args: ['classpath'],
    fetchArgs: ['classpath'],
    fetches: 'npx shadow-cljs classpath',
  },
  {
    file: 'bb.edn',
    programs: ['bb'],
    args: ['print-deps', '--format', 'classpath'],
    fetchArgs: ['prepare'],
    fetches: 'bb prepare',
  },
];

/** Milliseconds that a tool may take: a JVM starts, and another one in it. */
const ANSWER_MS = 120_000;

/** Where Maven keeps what it has fetched, in a home folder. */
export const REPOSITORY = '.m2/repository';

/** Characters of what a tool that failed has said. */
const SHOWN = 300;

/**
 * The tool whose build file the project has, wherever that leads; undefined for a project without one.
 * @param looking hears of each file on which that depends
 */
export async function buildToolOf(
  project: string,
  looking: (file: string) => void = () => undefined,
): Promise<BuildTool | undefined> {
  for (const tool of BUILD_TOOLS) {
    const file = path.join(project, tool.file);
    looking(file);
    if (await lstat(file).catch(() => null)) return tool;
  }
  return undefined;
}

/** Where the project's own packages have their programs. */
const OWN_PROGRAMS = 'node_modules/.bin';

/** Of a program that is looked into for a mark; a script has less. */
const MOST_PROGRAM = 64 * 1024 * 1024;

/** Where the tool is, in the project's own packages or on this machine; undefined when it is not there. */
export async function findBuildTool(
  { programs, mark }: BuildTool,
  { searchPath, project }: { searchPath: string; project: string },
): Promise<string | undefined> {
  for (const name of programs) {
    const own = path.join(OWN_PROGRAMS, name);
    const text = await readWithin(project, own, MOST_PROGRAM).catch(() => null);
    if (text !== null && (mark === undefined || text.includes(mark))) return path.join(project, own);
    const program = await findProgram([name], searchPath);
    if (program === undefined) continue;
    if (mark === undefined || (await readFile(program)).includes(mark)) return program;
  }
  return undefined;
}

export interface ToolDependencies {
  java: Java;
  /** The person's home folder. */
  home: string;
  libraries: LibraryFolder;
  request: StartRequest;
}

/** Where a tool finds what has been fetched. */
export interface LibraryFolder {
  /** Laid out like a home. */
  folder: string;
  /** The tool's settings, where libraries were fetched for the project alone: Maven asks again where each came from. */
  settings?: string;
}

/** What the tool printed as the classpath. @throws Error with what it said instead */
export async function askForClasspath(
  tool: BuildTool,
  program: string,
  dependencies: ToolDependencies,
): Promise<string[]> {
  const { java, home, libraries, request } = dependencies;
  const { launcher, confinement, project } = request;
  const launched = launcher.launch(
    {
      command: program,
      args: [...(libraries.settings ? await repositoryArgs(tool, home) : []), ...tool.args],
      env: await environment(dependencies),
      cwd: project,
      needs: await needs(program, java, project),
    },
    {
      ...confinement,
      readable: [
        ...confinement.readable,
        ...fetched(home, confinement.writable),
        ...(libraries.settings ? [libraries.settings] : []),
      ],
    },
  );
  launched.wire.resume();
  const over = setTimeout(() => void launched.signal('SIGKILL'), ANSWER_MS);
  const [said, complaint, { code, error }] = await answer(launched);
  clearTimeout(over);
  const last = said.trim().split('\n').at(-1) ?? '';
  if (code === 0 && last !== '') return last.split(path.delimiter);
  throw new Error(lastLines(complaint, SHOWN) || error || `it ended with code ${code ?? '(unknown)'}`);
}

function answer({ stdout, stderr, ended }: Launched) {
  return Promise.all([text(stdout), text(stderr), ended]);
}

/** Folders where the tools keep what they have fetched, also by their real paths; none of them holds a secret.
 * @param writable where code may have put a link */
export function fetched(home: string, writable: readonly string[]): string[] {
  const folders = [REPOSITORY, '.gitlibs/libs', '.lein/self-installs'].map((name) => path.join(home, name));
  const libraries = folders.filter((folder) => !isLedThrough(folder, writable, process.platform));
  return [...new Set([...libraries, ...libraries.map(realPath)])];
}

/** Arguments that name the person's Maven repository as one more to fetch from: what is there need not be fetched. */
export async function repositoryArgs(
  { withRepository }: BuildTool,
  home: string,
): Promise<readonly string[]> {
  const own = await ownRepository(home);
  return own === undefined ? [] : (withRepository?.(own) ?? []);
}

/** The person's Maven repository as a URL; undefined where there is none. */
export async function ownRepository(home: string): Promise<string | undefined> {
  const repository = path.join(home, REPOSITORY);
  const there = await stat(repository).catch(() => null);
  return there ? pathToFileURL(repository).href : undefined;
}

/** The tools write into the session's own home, and find elsewhere what they have fetched. */
function environment({ java, home, libraries, request }: ToolDependencies) {
  const temporary = path.join(request.home, 'tmp');
  return toolEnvironment({ java, home, libraries, temporary, ownHome: request.home });
}

interface ToolFolders extends Omit<ToolDependencies, 'request'> {
  temporary: string;
  /** HOME of the tool. */
  ownHome: string;
}

/** The JVM looks up a user's home in the host's list of users, not in HOME. */
export async function toolEnvironment({ java, home, libraries, temporary, ownHome }: ToolFolders) {
  const installs = path.join(home, '.lein/self-installs');
  const [leiningen] = await readdir(installs).catch(() => []);
  return {
    PATH: [path.dirname(java.command), '/usr/local/bin', '/usr/bin', '/bin'].join(path.delimiter),
    HOME: ownHome,
    LANG: 'C.UTF-8',
    TMPDIR: temporary,
    GITLIBS: path.join(libraries.folder, '.gitlibs'),
    // They end before the slow compiler is worth its time.
    JAVA_TOOL_OPTIONS: `-XX:TieredStopAtLevel=1 -Duser.home=${libraries.folder} -Djava.io.tmpdir=${temporary}`,
    ...(libraries.settings
      ? { LEIN_HOME: libraries.settings, LEIN_SUPPRESS_USER_LEVEL_REPO_WARNINGS: 'true' }
      : {}),
    ...(leiningen === undefined ? {} : { LEIN_JAR: path.join(installs, leiningen) }),
  };
}

/** What must be readable to run `program`, which may be a link, or a script beside its library. For one in the project
 * nothing is added: the project could make it a link to anything. */
export async function needs(program: string, java: Java, project: string): Promise<string[]> {
  if (isWithin(program, project, process.platform)) return java.needs;
  return [program, await realpath(program), ...java.needs];
}
