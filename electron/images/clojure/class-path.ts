/**
 * The classpath of a project: as its build tool tells it, else what its build file says, as far as it is on this machine.
 * Either is the project's word, so only what lies in the project, in folders that its image may read anyway, or where tools
 * keep what they have fetched is taken from it.
 */
import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { asFailure } from '../../contract/errors';
import { readWithin } from '../../sandbox/file-within';
import { isWithin } from '../../sandbox/project-rules';
import { realPath } from '../../sandbox/real-path';
import type { StartRequest } from '../image';
import type { Java } from '../java';
import type { MadeOf } from '../made-of';
import { type Declared, declared, NOTHING } from './build-files';
import {
  askForClasspath,
  type BuildTool,
  buildToolOf,
  fetched,
  findBuildTool,
  type LibraryFolder,
  REPOSITORY,
} from './build-tools';
import { libraryText, resolveLibraries } from './maven';

export interface ClassPath {
  /** Real paths of folders and archives. */
  entries: string[];
  /** What a person must know, such as what is missing. */
  notes: string[];
}

export interface ClassPathOptions {
  java: Java;
  /** Folders to look for programs in, as in PATH. */
  searchPath: string;
  /** The person's home folder. */
  home: string;
}

/** Where sources are by the custom of all build tools. */
export const USUAL_FOLDERS = ['src', 'test', 'resources'];

/** Libraries named in one note. */
const NAMED = 8;

/**
 * @param madeOf is given whatever the classpath depends on
 * @param tell hears what goes on, which may take a while
 */
export async function classPathOf(
  request: StartRequest,
  options: ClassPathOptions,
  madeOf: MadeOf,
  tell: (doing: string) => void,
): Promise<ClassPath> {
  const { project } = request;
  const usual = USUAL_FOLDERS.map((name) => path.join(project, name));
  // The first that has changed is told, and what a build file says explains the most.
  const tool = await buildToolOf(project, (file) => madeOf.note([file]));
  madeOf.note(usual);
  const found = tool ? await told(tool, request, options, madeOf, tell) : { entries: [], notes: [] };
  madeOf.note(withoutFetched(found.entries, request, options));
  const entries = await readable([...found.entries, ...usual], request, options);
  return { ...entries, notes: [...found.notes, ...entries.notes] };
}

/** What tools have fetched stays what it is, and there may be hundreds of it. */
function withoutFetched(
  entries: readonly string[],
  { libraries, confinement }: StartRequest,
  { home }: ClassPathOptions,
): string[] {
  const homes = [home, ...(libraries ? [libraries.folder] : [])];
  const folders = homes.flatMap((each) => fetched(each, confinement.writable));
  return entries.filter((entry) => !folders.some((folder) => isWithin(entry, folder, process.platform)));
}

/** Whether an entry lies where those of the project may. */
export function isAllowedFor(
  { project, confinement }: StartRequest,
  { home }: Pick<ClassPathOptions, 'home'>,
): (entry: string) => boolean {
  // As they were allowed: in their place there may be a link by now.
  const allowed = [project, ...confinement.readable, ...fetched(home, confinement.writable)];
  return (entry) => {
    const real = realPath(entry);
    return allowed.some((folder) => isWithin(real, folder, process.platform));
  };
}

async function told(
  tool: BuildTool,
  request: StartRequest,
  options: ClassPathOptions,
  madeOf: MadeOf,
  tell: (doing: string) => void,
): Promise<ClassPath> {
  const { project } = request;
  const program = await findBuildTool(tool, { searchPath: options.searchPath, project });
  const folders = await libraryFolders(request, options);
  if (program === undefined) return read(tool, request, { folders, madeOf });
  const line = [path.basename(program), ...tool.args].join(' ');
  tell(`asking ${line} for the classpath`);
  let problem = '';
  for (const each of folders)
    try {
      const entries = await askForClasspath(tool, program, { ...options, libraries: each, request });
      return { entries: entries.map((entry) => path.resolve(project, entry)), notes: [] };
    } catch (error) {
      problem = `\`${line}\` did not tell the classpath (${asFailure(error).message}), which is read from ${tool.file} instead.`;
    }
  const { entries, notes } = await read(tool, request, { folders, madeOf, program });
  return { entries, notes: [problem, ...notes] };
}

/** Where tools find what was fetched: first what was fetched for the project alone, if anything was, then the person's
 * home. A tool looks into one of them only; what was fetched for the project is there whole. */
async function libraryFolders(
  { libraries }: StartRequest,
  { home }: ClassPathOptions,
): Promise<LibraryFolder[]> {
  const own = libraries && (await stat(path.join(libraries.folder, '.m2')).catch(() => null));
  return [...(libraries && own ? [libraries] : []), { folder: home }];
}

interface Reading {
  folders: readonly LibraryFolder[];
  madeOf: MadeOf;
  /** What would fetch libraries, where that is on this machine. */
  program?: string;
}

async function read(
  { file, fetches }: BuildTool,
  { project, confinement }: StartRequest,
  { folders, madeOf, program }: Reading,
): Promise<ClassPath> {
  const more = program
    ? `\`load\` with fetch: true runs \`${fetches}\` in the sandbox, when a person agrees`
    : `\`${fetches}\` in a terminal fetches what Maven has; open another session then`;
  const remedy = `${more}, or attach to an nREPL that the build tool starts.`;
  const all = await declaredIn(file, project, {
    allowed: [project, ...confinement.readable],
    seen: new Set(),
    madeOf,
  });
  if (all === null) {
    const note = `${file} cannot be read as data, so the classpath has the usual source folders only. For the project's libraries: ${remedy}`;
    return { entries: [], notes: [note] };
  }
  const repositories = folders.map(({ folder }) => realPath(path.join(folder, REPOSITORY)));
  const { archives, missing, lookedFor } = await resolveLibraries(all.libraries, repositories);
  madeOf.note(lookedFor);
  const gone = [...missing.map(libraryText), ...all.others];
  const others = gone.length > NAMED ? ` and ${gone.length - NAMED} more` : '';
  const note = `Not on the classpath: ${gone.slice(0, NAMED).join(', ')}${others}. ${remedy}`;
  return { entries: [...all.paths, ...archives], notes: gone.length > 0 ? [note] : [] };
}

/** Where build files are looked for. */
interface Looking {
  /** Folders that the project's code may read: only in them a local project's build file is read. */
  allowed: readonly string[];
  /** Folders that were looked into; those of local projects are added. */
  seen: Set<string>;
  /** Is given the build files. */
  madeOf?: MadeOf;
}

/** What a build file says, with the local projects that it needs; paths are absolute. */
export async function declaredIn(
  file: BuildTool['file'],
  folder: string,
  looking: Looking,
): Promise<Declared | null> {
  if (looking.seen.has(folder)) return NOTHING;
  looking.seen.add(folder);
  const own = await declaredAlone(file, folder, looking);
  if (!own) return null;
  const roots = own.roots.map((each) => path.resolve(folder, each));
  const locals: Declared[] = [];
  for (const root of roots) {
    const local = root.endsWith('.jar') ? null : await declaredIn('deps.edn', root, looking);
    locals.push(local ?? { ...NOTHING, paths: [root] });
  }
  const paths = own.paths.map((each) => path.resolve(folder, each));
  const all = [{ ...own, paths }, ...locals];
  return {
    paths: all.flatMap((each) => each.paths),
    libraries: all.flatMap((each) => each.libraries),
    roots: own.roots,
    others: all.flatMap((each) => each.others),
  };
}

/** null for a file that is not there, that lies or leads where it may not be read, or that is none. */
async function declaredAlone(
  file: BuildTool['file'],
  folder: string,
  { allowed, madeOf }: Looking,
): Promise<Declared | null> {
  const at = realPath(folder);
  const outer = allowed.find((each) => isWithin(at, each, process.platform));
  if (outer === undefined) return null;
  madeOf?.note([path.join(folder, file)]);
  const bytes = await readWithin(outer, path.join(path.relative(outer, at), file)).catch(() => null);
  return bytes && declared(file, bytes.toString());
}

/** Those of `entries` that exist and may be read, each once. Of the others it is not told whether they exist. */
async function readable(
  entries: readonly string[],
  request: StartRequest,
  options: ClassPathOptions,
): Promise<ClassPath> {
  const isAllowed = isAllowedFor(request, options);
  const there = (await Promise.all(entries.filter(isAllowed).map(real))).filter((entry) => entry !== null);
  const refused = entries.filter((entry) => !isAllowed(entry));
  const note = `Not on the classpath, because this project may not read it: ${refused.join(', ')}. A person can make a folder that holds both the project.`;
  return { entries: [...new Set(there)], notes: refused.length > 0 ? [note] : [] };
}

function real(entry: string): Promise<string | null> {
  return realpath(entry).catch(() => null);
}
