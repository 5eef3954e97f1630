/** The tool `list_directory`: what is in a folder. Profiles offer it under their own names. */
import { z } from 'zod';
import { cutFolder, listed } from '../../source/listed-files';
import { shortPath } from '../source-places';
import type { Tool } from '../tool';
import { type FileToolOptions, fileCaller } from './text-files';

const ListDirectoryArguments = z.strictObject({
  path: z.string().min(1).max(4000).describe('Relative to the project; . is the project itself'),
  hidden: z.boolean().optional().describe('With names that begin with a dot'),
});

const ListDirectoryResult = z.object({
  path: z.string(),
  entries: z.array(z.object({ name: z.string(), type: z.enum(['file', 'directory']) })),
  notes: z.array(z.string()),
});

export function listDirectoryTool(
  options: FileToolOptions,
): Tool<typeof ListDirectoryArguments, typeof ListDirectoryResult> {
  return {
    name: 'list_directory',
    title: 'List a folder',
    description: 'Names the files and folders in a folder, without hidden ones and what was built.',
    scope: 'read',
    args: ListDirectoryArguments,
    result: ListDirectoryResult,
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    async run({ path, hidden = false }, caller) {
      const { project } = caller;
      const folder = await options.files.list(project, path, fileCaller(caller));
      const entries = listed(folder.entries, hidden);
      const shown = shortPath(folder.path, project) || '.';
      const structured = { path: shown, entries, notes: folder.complete ? [] : [cutFolder(shown)] };
      return { structured, text: JSON.stringify(entries), isError: false };
    },
  };
}
