/**
 * Runs the build tools of Clojure projects for the classpath. The project controls what they do (Leiningen
 * evaluates its project file), so they run confined like an image and without a network; libraries that were
 * not fetched before stay missing.
 */
import { lstat, readdir, readFile, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import type { Launched } from '../../launchers/launcher';
import { isWithin, passesLinkIn, realPath } from '../../sandbox/paths';
import { readWithin } from '../../sandbox/project-files';

import { findProgram } from '../agent/programs';
import type { StartRequest } from '../image';
import { lastLines } from '../image-process';
import type { Java } from '../java';
import { clojureData } from '../nrepl/clojure-code';
import type { BuildFile } from './build-files';

export interface BuildTool {
  file: BuildFile;
  /** Program names, in search order. */
  programs: readonly string[];
  args: readonly string[];
  /** The arguments with aliases or profiles; absent if the tool has none. */
  argsWith?: (aliases: readonly string[]) => readonly string[];
  /** Arguments that fetch libraries. */
  fetchArgs: readonly string[];
  /** Arguments that add a Maven repository by URL; absent if the tool has no such option. */
  withRepository?: (url: string) => readonly string[];
  /** The command that fetches libraries, as a user would type it. */
  fetches: string;
  /** A word that identifies the tool in the program's text: Debian's `clojure` is a plain launcher. */
  mark?: string;
}

export const BUILD_TOOLS: readonly BuildTool[] = [
  {
    file: 'deps.edn',
    programs: ['clojure', 'clj'],
    args: ['-Spath'],
    argsWith: (aliases) => [`-A${aliases.map((each) => `:${each}`).join('')}`, '-Spath'],
    fetchArgs: ['-P'],
    withRepository: (url) => ['-Sdeps', `{:mvn/repos {"own" {:url ${clojureData(url)}}}}`],
    fetches: 'clojure -P',
    mark: '-Spath',
  },
  {
    file: 'project.clj',
    programs: ['lein'],
    args: ['-o', 'classpath'],
    argsWith: (aliases) => ['-o', 'with-profile', aliases.map((each) => `+${each}`).join(','), 'classpath'],
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

/**
 * Maximum milliseconds for a tool, which starts a JVM, and perhaps another one in it. The session waits for it, so
 * a tool that hangs must not keep the session from opening.
 */
export const ANSWER_MS = 25_000;

/** Maven's local repository in a home folder. */
export const REPOSITORY = '.m2/repository';

/** Maximum characters of a failed tool's output. */
const SHOWN = 300;

/** Returns the arguments that print the classpath of the request. */
export function classPathArgs(tool: BuildTool, { aliases = [] }: StartRequest): readonly string[] {
  return aliases.length > 0 && tool.argsWith ? tool.argsWith(aliases) : tool.args;
}

/**
 * Returns the tool whose build file exists in the project; undefined if there is none.
 * @param looking called with each file that the result depends on
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

/** Programs of the project's own packages. */
const OWN_PROGRAMS = 'node_modules/.bin';

/** Maximum bytes of a program that is searched for its mark. */
const MOST_PROGRAM = 64 * 1024 * 1024;

/**
 * Returns the path of the tool, in the project's own packages or on this machine; undefined if there is none.
 */
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
  /** The user's home folder. */
  home: string;
  libraries: LibraryFolder;
  request: StartRequest;
}

/** Where a tool finds fetched libraries. */
export interface LibraryFolder {
  /** Laid out like a home folder. */
  folder: string;
  /**
   * The tool's settings, if libraries were fetched for this project only: Maven verifies where each came
   * from.
   */
  settings?: string;
}

/** Returns the classpath that the tool printed. @throws Error with its output otherwise */
export async function queryClasspath(
  tool: BuildTool,
  program: string,
  dependencies: ToolDependencies,
): Promise<string[]> {
  const { java, home, libraries, request } = dependencies;
  const { launcher, confinement, project } = request;
  const launched = launcher.launch(
    {
      command: program,
      args: [
        ...(libraries.settings ? await repositoryArgs(tool, home) : []),
        ...classPathArgs(tool, request),
      ],
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
  let isLate = false;
  const over = setTimeout(() => {
    isLate = true;
    void launched.signal('SIGKILL');
  }, ANSWER_MS);
  const [output, complaint, { code, error }] = await answer(launched);
  clearTimeout(over);
  if (isLate) throw new ToolHangs();
  const last = output.trim().split('\n').at(-1) ?? '';
  if (code === 0 && last !== '') return last.split(path.delimiter);
  throw new Error(lastLines(complaint, SHOWN) || error || `it exited with code ${code ?? '(unknown)'}`);
}

/** The tool did not answer in time. */
export class ToolHangs extends Error {
  constructor() {
    super(`it did not answer within ${ANSWER_MS / 1000} s`);
  }
}

function answer({ stdout, stderr, ended }: Launched) {
  return Promise.all([text(stdout), text(stderr), ended]);
}

/**
 * Returns the folders where tools store fetched libraries, also by their real paths; none contains secrets.
 * @param writable folders where sandboxed code could create links
 */
export function fetched(home: string, writable: readonly string[]): string[] {
  const folders = [REPOSITORY, '.gitlibs/libs', '.lein/self-installs'].map((name) => path.join(home, name));
  const libraries = folders.filter((folder) => !passesLinkIn(folder, writable, process.platform));
  return [...new Set([...libraries, ...libraries.map(realPath)])];
}

/**
 * Arguments that add the user's Maven repository as a source, so that libraries in it need not be downloaded.
 */
export async function repositoryArgs(
  { withRepository }: BuildTool,
  home: string,
): Promise<readonly string[]> {
  const own = await ownRepository(home);
  return own === undefined ? [] : (withRepository?.(own) ?? []);
}

/** Returns the user's Maven repository as a URL; undefined if there is none. */
export async function ownRepository(home: string): Promise<string | undefined> {
  const repository = path.join(home, REPOSITORY);
  const there = await stat(repository).catch(() => null);
  return there ? pathToFileURL(repository).href : undefined;
}

/** Tools write into the session's home, and read fetched libraries from elsewhere. */
function environment({ java, home, libraries, request }: ToolDependencies) {
  const temporary = path.join(request.home, 'tmp');
  return toolEnvironment({ java, home, libraries, temporary, ownHome: request.home });
}

interface ToolFolders extends Omit<ToolDependencies, 'request'> {
  temporary: string;
  /** The tool's HOME. */
  ownHome: string;
}

/** The JVM takes the user's home from the host's user database, not from HOME. */
export async function toolEnvironment({ java, home, libraries, temporary, ownHome }: ToolFolders) {
  const installs = path.join(home, '.lein/self-installs');
  const [leiningen] = await readdir(installs).catch(() => []);
  return {
    PATH: [path.dirname(java.command), '/usr/local/bin', '/usr/bin', '/bin'].join(path.delimiter),
    HOME: ownHome,
    LANG: 'C.UTF-8',
    TMPDIR: temporary,
    GITLIBS: path.join(libraries.folder, '.gitlibs'),
    // They exit before the optimizing compiler pays off.
    JAVA_TOOL_OPTIONS: `-XX:TieredStopAtLevel=1 -Duser.home=${libraries.folder} -Djava.io.tmpdir=${temporary}`,
    ...(libraries.settings
      ? { LEIN_HOME: libraries.settings, LEIN_SUPPRESS_USER_LEVEL_REPO_WARNINGS: 'true' }
      : {}),
    ...(leiningen === undefined ? {} : { LEIN_JAR: path.join(installs, leiningen) }),
  };
}

/**
 * Returns the paths that must be readable to run `program`, which may be a link or a script next to its
 * library. Adds nothing for a program in the project, which could be a link to anything.
 */
export async function needs(program: string, java: Java, project: string): Promise<string[]> {
  if (isWithin(program, project, process.platform)) return java.needs;
  return [program, await realpath(program), ...java.needs];
}
