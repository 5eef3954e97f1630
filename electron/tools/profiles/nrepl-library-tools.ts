/** The tools of clojure-mcp over libraries: those on the classpath of the connected server, searched and read in their jars. */
import { z } from 'zod';
import { HarborError } from '../../contract/errors';
import { thereAre } from '../../contract/names-there';
import { readFileTool } from '../files/read-file-tool';
import { searchFilesTool } from '../files/search-files-tool';
import type { FileToolOptions } from '../files/text-files';
import type { Caller, Tool } from '../tool';
import { charactersOf } from './nrepl-file-tools';
import type { LinkOf } from './nrepl-link';
import { adaptersOf } from './tool-adapter';

export interface Library {
  /** `group/artifact` where the jar is in a Maven repository, else as the jar is called. */
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
        library: z.string().min(1).describe('group/artifact, as deps_list tells it'),
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
      description: 'Reads a file in a library’s jar, as deps_grep names it.',
      args: z.strictObject({
        file_path: z.string().min(1).describe('x.jar:a/b.clj'),
        offset: count.describe('Lines before what is read'),
        limit: count.describe('Lines'),
      }),
      toArguments: async ({ file_path: named, offset, limit }, caller) => {
        const path = named.replace(/\.jar:(?:\/\/|!\/|\/)?/, '.jar!/');
        return { path, ...(await charactersOf(path, offset, limit, caller, options)) };
      },
    }),
  ];
}

/** Of the connected server.
 * @throws HarborError `not_supported` where it does not tell them, and as `NreplLink.find` */
export async function librariesOf(linkOf: LinkOf, caller: Caller): Promise<Library[]> {
  const { session } = await linkOf(caller).find(caller, undefined);
  const folders = await session.ability('knowledge').systemFolders?.();
  if (!folders)
    throw new HarborError(
      'not_supported',
      'This server does not tell its classpath: only Clojure on Java does.',
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

/** By its whole name, or its artifact where no other has that.
 * @throws HarborError `bad_arguments` */
function libraryNamed(asked: string, all: readonly Library[]): Library {
  const exact = all.filter(({ library }) => library === asked);
  const near = all.filter(({ library }) => library.startsWith(`${asked}/`) || library.endsWith(`/${asked}`));
  const [found, ...others] = exact.length > 0 ? exact : near;
  if (found && others.length === 0) return found;
  const names = (found ? [found, ...others] : all).map(({ library }) => library);
  throw new HarborError(
    'bad_arguments',
    `${found ? `Several libraries are called ${asked}` : `There is no library ${asked} on the classpath`}. ${thereAre(asked, names)}`,
  );
}
