/**
 * The build tools of Clojure projects, asked for the classpath. What they do is the project's to say (Leiningen evaluates its
 * project file), so they run as confined as an image, without a network: what they have not fetched yet stays missing.
 */
import { readdir, readFile, realpath } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import type { Launched } from '../../launchers/launcher';
import { findProgram } from '../agent/programs';
import type { StartRequest } from '../image';
import type { Java } from '../java';
import type { BuildFile } from './build-files';

export interface BuildTool {
  file: BuildFile;
  /** Names of the program, in the order in which they are looked for. */
  programs: readonly string[];
  args: readonly string[];
  /** What fetches libraries, for a person to type. */
  fetches: string;
  /** Occurs in the text of the program where it is the tool itself: Debian's `clojure` only starts Clojure. */
  mark?: string;
}

export const BUILD_TOOLS: readonly BuildTool[] = [
  { file: 'deps.edn', programs: ['clojure', 'clj'], args: ['-Spath'], fetches: 'clojure -P', mark: '-Spath' },
  { file: 'project.clj', programs: ['lein'], args: ['-o', 'classpath'], fetches: 'lein deps' },
  {
    file: 'shadow-cljs.edn',
    programs: ['shadow-cljs'],
    args: ['classpath'],
    fetches: 'npx shadow-cljs classpath',
  },
  { file: 'bb.edn', programs: ['bb'], args: ['print-deps', '--format', 'classpath'], fetches: 'bb prepare' },
];

/** Milliseconds that a tool may take: a JVM starts, and another one in it. */
const ANSWER_MS = 120_000;

/** Characters of what a tool that failed has said. */
const SHOWN = 300;

/** Where the tool is, in the project's own packages or on this machine; undefined when it is not there. */
export async function findBuildTool(
  { programs, mark }: BuildTool,
  { searchPath, project }: { searchPath: string; project: string },
): Promise<string | undefined> {
  const places = [path.join(project, 'node_modules/.bin'), searchPath].join(path.delimiter);
  for (const name of programs) {
    const program = await findProgram([name], places);
    if (program === undefined) continue;
    if (mark === undefined || (await readFile(program, 'latin1')).includes(mark)) return program;
  }
  return undefined;
}

/** What the tool printed as the classpath. @throws Error with what it said instead */
export async function askForClasspath(
  { args }: BuildTool,
  program: string,
  { java, home, request }: { java: Java; home: string; request: StartRequest },
): Promise<string[]> {
  const { launcher, confinement, project } = request;
  const launched = launcher.launch(
    {
      command: program,
      args,
      env: await environment(java, home, request),
      cwd: project,
      needs: await needs(program, java),
    },
    { ...confinement, readable: [...confinement.readable, ...fetched(home)] },
  );
  launched.wire.resume();
  const over = setTimeout(() => void launched.signal('SIGKILL'), ANSWER_MS);
  const [said, complaint, { code, error }] = await answer(launched);
  clearTimeout(over);
  const last = said.trim().split('\n').at(-1) ?? '';
  if (code === 0 && last !== '') return last.split(path.delimiter);
  throw new Error(complaint.trim().slice(-SHOWN) || error || `it ended with code ${code}`);
}

function answer({ stdout, stderr, ended }: Launched) {
  return Promise.all([text(stdout), text(stderr), ended]);
}

/** Folders where the tools keep what they have fetched; none of them holds a secret. */
export function fetched(home: string): string[] {
  return ['.m2/repository', '.gitlibs/libs', '.lein/self-installs'].map((name) => path.join(home, name));
}

/** The tools write into the session's own home, and find in the person's what they have fetched. */
async function environment(java: Java, home: string, { home: ownHome }: StartRequest) {
  const [leiningen] = await readdir(path.join(home, '.lein/self-installs')).catch(() => []);
  return {
    PATH: [path.dirname(java.command), '/usr/local/bin', '/usr/bin', '/bin'].join(path.delimiter),
    HOME: ownHome,
    LANG: 'C.UTF-8',
    TMPDIR: path.join(ownHome, 'tmp'),
    GITLIBS: path.join(home, '.gitlibs'),
    JAVA_TOOL_OPTIONS: `-Duser.home=${home} -Djava.io.tmpdir=${path.join(ownHome, 'tmp')}`,
    ...(leiningen === undefined ? {} : { LEIN_JAR: path.join(home, '.lein/self-installs', leiningen) }),
  };
}

/** A program that was installed somewhere of its own may be a link to it, or a script beside its library. */
async function needs(program: string, java: Java): Promise<string[]> {
  return [program, await realpath(program), ...java.needs];
}
