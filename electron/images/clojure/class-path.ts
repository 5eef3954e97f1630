/**
 * Determines a project's classpath: from its build tool, else from its build file, as far as libraries are
 * available locally. Both are controlled by the project, so entries are accepted only in the project, in
 * folders that its image may read anyway, and where tools store fetched libraries.
 */

import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { asFailure, HarborError, listSimilarNames } from '../../contract/errors';
import { mention, ours } from '../../contract/mention';
import { type Note, note } from '../../contract/note';
import { isWithin, realPath } from '../../sandbox/paths';
import { readWithin } from '../../sandbox/project-files';
import type { StartRequest } from '../image';
import type { Java } from '../java';
import { LaunchFingerprint } from '../launch-fingerprint';
import { aliasesIn, type Coordinate, type Declared, declared, NOTHING } from './build-files';
import {
  type BuildTool,
  buildToolOf,
  classPathArgs,
  fetched,
  findBuildTool,
  type LibraryFolder,
  queryClasspath,
  REPOSITORY,
  ToolHangs,
} from './build-tools';
import { libraryText, resolveLibraries, SYSTEM_ARCHIVES, SYSTEM_REPOSITORY } from './maven';

export interface ClassPath {
  /** Real paths of folders and archives. */
  entries: string[];
  /** Notes for the user, such as missing libraries. */
  notes: Note[];
}

interface ClassPathOptions {
  java: Java;
  /** Folders to search for programs, as in PATH. */
  searchPath: string;
  /** The user's home folder. */
  home: string;
  /** Build tools that did not answer, each with its project. They are not run there again. */
  hanging?: Set<string>;
}

/** Conventional source folders of all build tools. */
const USUAL_FOLDERS = ['src', 'test', 'resources'];

/** Maximum number of libraries named in one note. */
const NAMED = 8;

/**
 * @param fingerprint records everything that the classpath depends on
 * @param report called with progress, because this may take a while
 */
export async function classPathOf(
  request: StartRequest,
  options: ClassPathOptions,
  fingerprint: LaunchFingerprint,
  report: (doing: string) => void,
): Promise<ClassPath> {
  const { project } = request;
  const usual = USUAL_FOLDERS.map((name) => path.join(project, name));
  // The first changed file is reported, and the build file is the best explanation.
  const tool = await buildToolOf(project, (file) => fingerprint.record([file]));
  fingerprint.record(usual);
  await requireAliases(tool, request);
  const found = tool
    ? await toolClassPath(tool, request, options, fingerprint, report)
    : { entries: [], notes: [] };
  fingerprint.record(withoutFetched(found.entries, request, options));
  const entries = await readable([...found.entries, ...usual], request, options);
  return { ...entries, notes: [...found.notes, ...entries.notes] };
}

/** @throws HarborError `bad_arguments` if the build file does not define an alias or profile of the request */
async function requireAliases(
  tool: BuildTool | undefined,
  { aliases = [], project }: StartRequest,
): Promise<void> {
  if (aliases.length === 0) return;
  if (!tool?.argsWith)
    throw new HarborError(
      'bad_arguments',
      `${tool?.file ?? 'The project'} has no aliases or profiles. Only deps.edn has aliases, and project.clj has profiles.`,
    );
  const bytes = await readWithin(project, tool.file).catch(() => null);
  const known = bytes ? aliasesIn(tool.file, bytes.toString()) : [];
  const unknown = aliases.filter((each) => !known.includes(each));
  if (unknown.length > 0)
    throw new HarborError(
      'bad_arguments',
      `${tool.file} does not define ${unknown.join(', ')}. ${listSimilarNames(unknown[0] ?? '', known)}`,
    );
}

/** Excludes fetched libraries, which do not change and may be hundreds. */
function withoutFetched(
  entries: readonly string[],
  { libraries, confinement }: StartRequest,
  { home }: ClassPathOptions,
): string[] {
  const homes = [home, ...(libraries ? [libraries.folder] : [])];
  const folders = homes.flatMap((each) => fetched(each, confinement.writable));
  return entries.filter((entry) => !folders.some((folder) => isWithin(entry, folder, process.platform)));
}

/** Returns a predicate for entries that are allowed for the project. */
export function isAllowedFor(
  { project, confinement }: StartRequest,
  { home }: Pick<ClassPathOptions, 'home'>,
): (entry: string) => boolean {
  // As allowed; a link may have replaced them since.
  const allowed = [
    project,
    ...confinement.readable,
    ...fetched(home, confinement.writable),
    ...SYSTEM_ARCHIVES,
  ];
  return (entry) => {
    const real = realPath(entry);
    return allowed.some((folder) => isWithin(real, folder, process.platform));
  };
}

async function toolClassPath(
  tool: BuildTool,
  request: StartRequest,
  options: ClassPathOptions,
  fingerprint: LaunchFingerprint,
  report: (doing: string) => void,
): Promise<ClassPath> {
  const { project } = request;
  const program = await findBuildTool(tool, { searchPath: options.searchPath, project });
  const folders = await libraryFolders(request, options);
  if (program === undefined || options.hanging?.has(`${program} ${project}`))
    return read(tool, request, { folders, fingerprint: fingerprint });
  const line = [path.basename(program), ...classPathArgs(tool, request)].join(' ');
  report(`running ${line} for the classpath`);
  let problem = '';
  for (const each of folders)
    try {
      const entries = await queryClasspath(tool, program, { ...options, libraries: each, request });
      return { entries: entries.map((entry) => path.resolve(project, entry)), notes: [] };
    } catch (error) {
      if (error instanceof ToolHangs) options.hanging?.add(`${program} ${project}`);
      problem = `\`${line}\` did not return the classpath (${asFailure(error).message}); it was read from ${tool.file} instead.`;
    }
  const { entries, notes } = await read(tool, request, { folders, fingerprint: fingerprint, program });
  return { entries, notes: [note('class_path', problem), ...notes] };
}

/**
 * Returns the folders with fetched libraries: first those fetched for this project only, if any, then the
 * user's home. A tool uses one of them; what was fetched for the project is complete.
 */
async function libraryFolders(
  { libraries }: StartRequest,
  { home }: ClassPathOptions,
): Promise<LibraryFolder[]> {
  const own = libraries && (await stat(path.join(libraries.folder, '.m2')).catch(() => null));
  return [...(libraries && own ? [libraries] : []), { folder: home }];
}

interface Reading {
  folders: readonly LibraryFolder[];
  fingerprint: LaunchFingerprint;
  /** The tool that would fetch libraries, if it is installed. */
  program?: string;
}

async function read(
  { file, fetches }: BuildTool,
  { project, confinement, aliases }: StartRequest,
  { folders, fingerprint, program }: Reading,
): Promise<ClassPath> {
  const server = 'attach to an nREPL server that the build tool starts.';
  // Without the build tool, only the user can fetch.
  const absent = (fact: string, lead = '') =>
    program
      ? note(
          'class_path',
          fact,
          mention`${lead}${ours('load', 'fetch')} with fetch: true runs \`${fetches}\` in the sandbox, with the user's approval, or ${server}`,
        )
      : note(
          'class_path',
          `${fact} ${lead}Run \`${fetches}\` in a terminal to fetch what Maven has, then open another session, or ${server}`,
        );
  const all = await declaredIn(file, project, {
    allowed: [project, ...confinement.readable],
    seen: new Set(),
    fingerprint: fingerprint,
    ...(aliases ? { aliases } : {}),
  });
  if (all === null) {
    const fact = `${file} does not say what is on the classpath, which therefore contains only the usual source folders.`;
    return { entries: [], notes: [absent(fact, "For the project's libraries: ")] };
  }
  const repositories = [
    ...folders.map(({ folder }) => realPath(path.join(folder, REPOSITORY))),
    SYSTEM_REPOSITORY,
  ];
  const { archives, missing, lookedFor } = await resolveLibraries(all.libraries, repositories);
  fingerprint.record(lookedFor);
  const isClojure = ({ group, artifact }: Coordinate) => group === 'org.clojure' && artifact === 'clojure';
  const missingNames = [...missing.filter((each) => !isClojure(each)).map(libraryText), ...all.others];
  const otherClojure = missing.filter(isClojure).map(({ version }) => version);
  const others = missingNames.length > NAMED ? ` and ${missingNames.length - NAMED} more` : '';
  const fact = `Not on the classpath: ${missingNames.slice(0, NAMED).join(', ')}${others}.`;
  const skipped = `Not used of ${file}, because it needs evaluation: ${all.unused.join(' · ')}`;
  return {
    entries: [...all.paths, ...archives],
    notes: [
      ...(missingNames.length > 0 ? [absent(fact)] : []),
      ...otherClojure.map((version) =>
        note('class_path', `Clojure ${version} is not here; the session has the installed Clojure.`),
      ),
      ...(all.unused.length > 0 ? [note('class_path', skipped)] : []),
    ],
  };
}

/** Context of reading build files. */
interface Looking {
  /** Folders that the project's code may read; build files of local projects are read only there. */
  allowed: readonly string[];
  /** Folders that were visited, including local projects. */
  seen: Set<string>;
  /** The chosen aliases or profiles of the project; local projects are read without. */
  aliases?: readonly string[];
  /** Records the build files. */
  fingerprint?: LaunchFingerprint;
}

/** Returns what a build file declares, including local projects that it needs; paths are absolute. */
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
    const local = root.endsWith('.jar')
      ? null
      : await declaredIn('deps.edn', root, { ...looking, aliases: [] });
    locals.push(local ?? { ...NOTHING, paths: [root] });
  }
  const paths = own.paths.map((each) => path.resolve(folder, each));
  const all = [{ ...own, paths }, ...locals];
  return {
    paths: all.flatMap((each) => each.paths),
    libraries: all.flatMap((each) => each.libraries),
    roots: own.roots,
    others: all.flatMap((each) => each.others),
    unused: own.unused,
  };
}

/** Returns null if the file does not exist, may not be read, or is invalid. */
async function declaredAlone(
  file: BuildTool['file'],
  folder: string,
  { allowed, fingerprint, aliases }: Looking,
): Promise<Declared | null> {
  const at = realPath(folder);
  const outer = allowed.find((each) => isWithin(at, each, process.platform));
  if (outer === undefined) return null;
  fingerprint?.record([path.join(folder, file)]);
  const bytes = await readWithin(outer, path.join(path.relative(outer, at), file)).catch(() => null);
  return bytes && declared(file, bytes.toString(), aliases);
}

/**
 * Returns the existing entries that may be read, without duplicates. Does not reveal whether the others
 * exist.
 */
async function readable(
  entries: readonly string[],
  request: StartRequest,
  options: ClassPathOptions,
): Promise<ClassPath> {
  const isAllowed = isAllowedFor(request, options);
  const there = (await Promise.all(entries.filter(isAllowed).map(real))).filter((entry) => entry !== null);
  const refused = entries.filter((entry) => !isAllowed(entry));
  const text = `Not on the classpath, because this project may not read it: ${refused.join(', ')}. The user can make a folder that contains both the project.`;
  return { entries: [...new Set(there)], notes: refused.length > 0 ? [note('class_path', text)] : [] };
}

function real(entry: string): Promise<string | null> {
  return realpath(entry).catch(() => null);
}

/**
 * A cached classpath, because running a build tool takes seconds. It is determined again when an input
 * changed, or while something is missing that may have been fetched since.
 */
interface KnownClassPath extends ClassPath {
  /** The fingerprint of an image with this classpath. */
  fingerprint: LaunchFingerprint;
}

export class ClassPaths {
  readonly #known = new Map<string, { allowed: string; classPath: KnownClassPath }>();
  readonly #hanging = new Set<string>();

  /** Like `classPathOf`. */
  async of(
    request: StartRequest,
    options: ClassPathOptions,
    report: (doing: string) => void,
  ): Promise<KnownClassPath> {
    const { project, confinement, aliases = [] } = request;
    const allowed = JSON.stringify(confinement.readable);
    const key = JSON.stringify([project, ...aliases]);
    const known = this.#known.get(key);
    if (known?.allowed === allowed && known.classPath.fingerprint.changed === null) return known.classPath;
    const fingerprint = new LaunchFingerprint(project, isAllowedFor(request, options));
    const classPath = {
      ...(await classPathOf(request, { ...options, hanging: this.#hanging }, fingerprint, report)),
      fingerprint,
    };
    if (classPath.notes.length === 0) this.#known.set(key, { allowed, classPath });
    return classPath;
  }
}
