/**
 * The tools of clojure-mcp for libraries on the classpath of the connected server, searched and read in their
 * jars, and for the project.
 */

import { z } from 'zod';
import { HarborError, listSimilarNames } from '../../contract/errors';
import { NoteText, note } from '../../contract/note';

import { addressText } from '../../contract/server';
import { cut } from '../../history/long-text';
import { readFileTool } from '../../tools/files/read-file-tool';
import { type FileToolOptions, openText } from '../../tools/files/text-files';
import type { Caller, Tool } from '../../tools/tool';
import { adaptersOf } from '../tool-adapter';
import { searchFilesTool } from '../tools/search-tools';
import { charactersOf } from './file-tools';
import type { LinkOf } from './nrepl-link';

interface Library {
  /** `group/artifact` if the jar is in a Maven repository, else the name of the jar. */
  library: string;
  version: string | null;
  jar: string;
}

const count = z.int().min(0).optional();

export function libraryTools(linkOf: LinkOf, options: FileToolOptions): Tool[] {
  return [
    adaptersOf(searchFilesTool(options))({
      name: 'deps_grep',
      description: 'Lines of a library’s Clojure sources that match a regular expression.',
      args: z.strictObject({
        pattern: z.string().min(1),
        library: z.string().min(1).describe('group/artifact, as listed by deps_list'),
        type: z.enum(['clj']).optional(),
        glob: z.string().min(1).optional().describe('Such as **/*.clj'),
        output_mode: z.enum(['content', 'files_with_matches', 'count']).optional(),
        case_insensitive: z.boolean().optional(),
        head_limit: z.int().min(1).max(1000).optional(),
      }),
      toArguments: async (
        { library, pattern, glob, head_limit: limit, case_insensitive: ignored },
        caller,
      ) => {
        const { jar: path } = libraryNamed(library, await librariesOf(linkOf, caller));
        return { path, pattern, glob, limit, ignore_case: ignored };
      },
      render: ({ found }, { output_mode: mode }, ours) => {
        const counts = Map.groupBy(found, ({ file }) => file);
        if (mode === 'files_with_matches') return [...counts.keys()].join('\n');
        return mode === 'count'
          ? [...counts].map(([file, all]) => `${file}: ${all.length}`).join('\n')
          : ours;
      },
    }),
    adaptersOf(readFileTool(options))({
      name: 'deps_read',
      description: 'Reads a file in a library’s jar, as named by deps_grep.',
      args: z.strictObject({
        file_path: z.string().min(1).describe('x.jar:a/b.clj'),
        offset: count.describe('Lines to skip'),
        limit: count.describe('Lines'),
      }),
      toArguments: async ({ file_path: named, offset, limit }, caller) => {
        const path = named.replace(/\.jar:(?:\/\/|!\/|\/)?/, '.jar!/');
        return { path, ...(await charactersOf(path, offset, limit, caller, options)) };
      },
    }),
  ];
}

/**
 * Returns the libraries of the connected server.
 * @throws HarborError `not_supported` if it does not report them; as `NreplLink.find`
 */
export async function librariesOf(linkOf: LinkOf, caller: Caller): Promise<Library[]> {
  const { session } = await linkOf(caller).find(caller, undefined);
  const folders = await session.ability('knowledge').systemFolders?.();
  if (!folders)
    throw new HarborError(
      'not_supported',
      'This server does not report its classpath; only Clojure on Java does.',
    );
  return folders.filter(({ folder }) => folder.endsWith('.jar')).map(({ folder }) => libraryIn(folder));
}

function libraryIn(jar: string): Library {
  const [, group, artifact, version] = /\/repository\/(.+)\/([^/]+)\/([^/]+)\/[^/]+$/.exec(jar) ?? [];
  if (group && artifact && version)
    return { library: `${group.replaceAll('/', '.')}/${artifact}`, version, jar };
  const [, name = jar, dated = null] = /([^/]+?)(?:-(\d[^/]*))?\.jar$/.exec(jar) ?? [];
  return { library: name, version: dated, jar };
}

/**
 * Finds a library by its full name, or by its artifact if that is unique.
 * @throws HarborError `bad_arguments`
 */
function libraryNamed(requested: string, all: readonly Library[]): Library {
  const exact = all.filter(({ library }) => library === requested);
  const near = all.filter(
    ({ library }) => library.startsWith(`${requested}/`) || library.endsWith(`/${requested}`),
  );
  const [found, ...others] = exact.length > 0 ? exact : near;
  if (found && others.length === 0) return found;
  const names = (found ? [found, ...others] : all).map(({ library }) => library);
  throw new HarborError(
    'bad_arguments',
    `${found ? `Several libraries are named ${requested}` : `There is no library ${requested} on the classpath`}. ${listSimilarNames(requested, names)}`,
  );
}

// The tool `clojure_inspect_project` of clojure-mcp: the build files of a project, its namespaces, and the
// connected server.

/** Names of build files. */
const BUILD_FILES = ['deps.edn', 'project.clj', 'bb.edn', 'shadow-cljs.edn', 'nbb.edn'];
/** Maximum characters of a build file, and maximum number of namespaces. */
const SHOWN = { characters: 2_000, namespaces: 200 } as const;

const Explained = z.strictObject({ explanation: z.string().optional() });

const Project = z.object({
  project: z.string(),
  server: z.string().optional(),
  builds: z.array(z.object({ file: z.string(), text: z.string() })),
  namespaces: z.array(z.object({ name: z.string(), file: z.string() })),
  notes: z.array(NoteText),
});

export function projectTool(
  linkOf: LinkOf,
  options: FileToolOptions,
): Tool<typeof Explained, typeof Project> {
  return {
    name: 'clojure_inspect_project',
    title: 'Describe the project',
    description: 'The build files of the project, its namespaces with their files, and the connected server.',
    scope: 'read',
    args: Explained,
    result: Project,
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    async run(_, caller) {
      const { connected, address } = linkOf(caller);
      const structured = {
        project: caller.project,
        ...(connected && address ? { server: addressText(address) } : {}),
        builds: await buildsOf(caller, options),
        ...(await namespacesOf(caller, options)),
      };
      const { project, server, builds, namespaces, notes } = structured;
      const text = [
        `project ${project}`,
        `nREPL server ${server ?? 'none connected'}`,
        ...builds.map((build) => `[${build.file}]\n${build.text.trimEnd()}`),
        `[namespaces]\n${namespaces.map(({ name, file }) => `${name} ${file}`).join('\n') || 'none'}`,
      ];
      return { structured, text: text.join('\n'), notes, isError: false };
    },
  };
}

async function buildsOf(caller: Caller, options: FileToolOptions): Promise<{ file: string; text: string }[]> {
  const read = BUILD_FILES.map(async (file) => {
    try {
      return [{ file, text: cut((await openText(file, caller, options)).text, SHOWN.characters) }];
    } catch (error) {
      if (error instanceof HarborError) return [];
      throw error;
    }
  });
  return (await Promise.all(read)).flat();
}

async function namespacesOf(caller: Caller, options: FileToolOptions) {
  const requested = {
    pattern: String.raw`^\(ns\s+[^\s()]`,
    glob: '*.{clj,cljc,cljs,cljd,bb}',
    limit: SHOWN.namespaces,
  };
  const { found, limited, notes } = (await searchFilesTool(options).run(requested, caller)).structured;
  const more = limited ? [note('cut', `There are more than ${SHOWN.namespaces} namespaces.`)] : [];
  const namespaces = found.map(({ file, text = '' }) => ({ name: nameIn(text), file }));
  return { namespaces, notes: [...notes, ...more] };
}

/** Returns the name. Metadata may precede it. */
function nameIn(line: string): string {
  return /^\(ns\s+(?:\^\S+\s+)*([^\s()^{}]+)/.exec(line)?.[1] ?? line;
}
