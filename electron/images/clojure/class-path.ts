/**
 * The classpath of a project: as its build tool tells it, else what its build file says, as far as it is on this machine.
 * Either is the project's word, so only what lies in the project, in folders that its image may read anyway, or where tools
 * keep what they have fetched is taken from it.
 */
import { readFile, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { asFailure } from '../../contract/errors';
import { isWithin } from '../../sandbox/project-rules';
import type { StartRequest } from '../image';
import type { Java } from '../java';
import { type Declared, declared } from './build-files';
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

/** @param tell hears what goes on, which may take a while */
export async function classPathOf(
  request: StartRequest,
  options: ClassPathOptions,
  tell: (doing: string) => void,
): Promise<ClassPath> {
  const usual = USUAL_FOLDERS.map((name) => path.join(request.project, name));
  const tool = await buildToolOf(request.project);
  const found = tool ? await told(tool, request, options, tell) : { entries: [], notes: [] };
  const entries = await readable([...found.entries, ...usual], request, options);
  return { ...entries, notes: [...found.notes, ...entries.notes] };
}

async function told(
  tool: BuildTool,
  request: StartRequest,
  options: ClassPathOptions,
  tell: (doing: string) => void,
): Promise<ClassPath> {
  const { project } = request;
  const program = await findBuildTool(tool, { searchPath: options.searchPath, project });
  const folders = await libraryFolders(request, options);
  if (program === undefined) return read(tool, project, folders);
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
  const { entries, notes } = await read(tool, project, folders, program);
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

/** @param program what would fetch it, where that is on this machine */
async function read(
  { file, fetches }: BuildTool,
  project: string,
  folders: readonly LibraryFolder[],
  program?: string,
): Promise<ClassPath> {
  const more = program
    ? `\`load\` with fetch: true runs \`${fetches}\` in the sandbox, when a person agrees`
    : `\`${fetches}\` in a terminal fetches what Maven has; open another session then`;
  const remedy = `${more}, or attach to an nREPL that the build tool starts.`;
  const all = await declaredIn(file, project, new Set());
  if (all === null) {
    const note = `${file} cannot be read as data, so the classpath has the usual source folders only. For the project's libraries: ${remedy}`;
    return { entries: [], notes: [note] };
  }
  const repositories = folders.map(({ folder }) => path.join(folder, REPOSITORY));
  const { archives, missing } = await resolveLibraries(all.libraries, repositories);
  const gone = [...missing.map(libraryText), ...all.others];
  const others = gone.length > NAMED ? ` and ${gone.length - NAMED} more` : '';
  const note = `Not on the classpath: ${gone.slice(0, NAMED).join(', ')}${others}. ${remedy}`;
  return { entries: [...all.paths, ...archives], notes: gone.length > 0 ? [note] : [] };
}

/** What a build file says, with the local projects that it needs; paths are absolute.
 * @param seen folders that were looked into; those of local projects are added */
export async function declaredIn(
  file: BuildTool['file'],
  folder: string,
  seen: Set<string>,
): Promise<Declared | null> {
  if (seen.has(folder)) return { paths: [], libraries: [], roots: [], others: [] };
  seen.add(folder);
  const text = await readFile(path.join(folder, file), 'utf8').catch(() => null);
  const own = text === null ? null : declared(file, text);
  if (!own) return null;
  const whole = { ...own, paths: own.paths.map((each) => path.resolve(folder, each)) };
  for (const root of own.roots.map((each) => path.resolve(folder, each))) {
    const local = root.endsWith('.jar') ? null : await declaredIn('deps.edn', root, seen);
    whole.paths.push(...(local?.paths ?? [root]));
    whole.libraries.push(...(local?.libraries ?? []));
    whole.others.push(...(local?.others ?? []));
  }
  return whole;
}

/** Those of `entries` that exist and may be read, each once. */
async function readable(
  entries: readonly string[],
  { project, confinement }: StartRequest,
  { home }: ClassPathOptions,
): Promise<ClassPath> {
  const folders = await Promise.all([project, ...confinement.readable, ...fetched(home)].map(real));
  const allowed = folders.filter((folder) => folder !== null);
  const there = (await Promise.all(entries.map(real))).filter((entry) => entry !== null);
  const isAllowed = (entry: string) => allowed.some((folder) => isWithin(entry, folder, process.platform));
  const refused = there.filter((entry) => !isAllowed(entry));
  const note = `Not on the classpath, because this project may not read it: ${refused.join(', ')}. A person can make a folder that holds both the project.`;
  return { entries: [...new Set(there.filter(isAllowed))], notes: refused.length > 0 ? [note] : [] };
}

function real(entry: string): Promise<string | null> {
  return realpath(entry).catch(() => null);
}
