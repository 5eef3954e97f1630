/** The tool `clojure_inspect_project` of clojure-mcp: what a project is built by, which namespaces it has, which server is connected. */
import { z } from 'zod';
import { HarborError } from '../../contract/errors';
import { addressText } from '../../contract/server';
import { cut } from '../../history/cut-text';
import { searchFilesTool } from '../files/search-files-tool';
import { type FileToolOptions, openText } from '../files/text-files';
import type { Caller, Tool } from '../tool';
import type { LinkOf } from './nrepl-link';

/** As the build tools call theirs. */
const BUILD_FILES = ['deps.edn', 'project.clj', 'bb.edn', 'shadow-cljs.edn', 'nbb.edn'];
/** Characters of a build file, and namespaces, that are told. */
const SHOWN = { characters: 2_000, namespaces: 200 } as const;

const Explained = z.strictObject({ explanation: z.string().optional() });

const Project = z.object({
  project: z.string(),
  server: z.string().optional(),
  builds: z.array(z.object({ file: z.string(), text: z.string() })),
  namespaces: z.array(z.object({ name: z.string(), file: z.string() })),
  notes: z.array(z.string()),
});

export function projectTool(
  linkOf: LinkOf,
  options: FileToolOptions,
): Tool<typeof Explained, typeof Project> {
  return {
    name: 'clojure_inspect_project',
    title: 'Describe the project',
    description: 'What the project is built by, its namespaces with their files, and the connected server.',
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
        ...notes.map((note) => `; note: ${note}`),
      ];
      return { structured, text: text.join('\n'), isError: false };
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
  const asked = {
    pattern: String.raw`^\(ns\s+[^\s()]`,
    glob: '*.{clj,cljc,cljs,cljd,bb}',
    limit: SHOWN.namespaces,
  };
  const { found, limited, notes } = (await searchFilesTool(options).run(asked, caller)).structured;
  const more = limited ? [`There are more than ${SHOWN.namespaces} namespaces.`] : [];
  const namespaces = found.map(({ file, text = '' }) => ({ name: nameIn(text), file }));
  return { namespaces, notes: [...notes, ...more] };
}

/** Metadata may stand before the name. */
function nameIn(line: string): string {
  return /^\(ns\s+(?:\^\S+\s+)*([^\s()^{}]+)/.exec(line)?.[1] ?? line;
}
