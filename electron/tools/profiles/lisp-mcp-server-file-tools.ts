/** The `fs` tools of lisp-mcp-server, and those of its later versions that read and edit Lisp files. */
import { posix, win32 } from 'node:path';
import { z } from 'zod';
import { HarborError } from '../../contract/errors';
import { checkBalanceTool } from '../files/check-balance-tool';
import { type EditFormResult, editFormTool } from '../files/edit-form-tool';
import { formAtTool } from '../files/form-at-tool';
import { listDirectoryTool } from '../files/list-directory-tool';
import { NewProjectArguments, type NewProjectToolOptions, newProjectTool } from '../files/new-project-tool';
import { MOST_CHARACTERS, readFileTool } from '../files/read-file-tool';
import { MOST_MATCHES, searchFormsTool } from '../files/search-forms-tool';
import type { FileToolOptions } from '../files/text-files';
import type { DefinitionsOptions } from '../files/write-definitions';
import { writeFileTool } from '../files/write-file-tool';
import { shortPath } from '../source-places';
import type { Caller, Tool } from '../tool';
import {
  balanceText,
  editedText,
  linesText,
  listedText,
  scaffoldedText,
  searchedText,
} from './lisp-mcp-server-file-text';
import { adaptersOf } from './tool-adapter';

const inProject = z.string().min(1).describe('Relative to the project root');
const readable = z.string().min(1).describe('Relative to the project root, or absolute in a dependency');
const count = z.int().optional();
const Form = z.strictObject({
  file_path: inProject,
  form_type: z.string().min(1),
  form_name: z.string().min(1).describe('area, or area[1] for the second of several'),
  dry_run: z.boolean().optional(),
});

export function fileTools(options: NewProjectToolOptions & DefinitionsOptions): Tool[] {
  const reading = adaptersOf(readFileTool({ ...options, others: true }));
  const writing = adaptersOf(writeFileTool(options));
  const editing = adaptersOf(editFormTool(options, 0));
  const listing = adaptersOf(listDirectoryTool(options));
  const checking = adaptersOf(checkBalanceTool(options));
  const placing = adaptersOf(formAtTool(options));
  const searching = adaptersOf(searchFormsTool(options));
  const starting = adaptersOf(newProjectTool(options));
  return [
    reading({
      name: 'fs-read-file',
      description: 'Reads a text file of the project, or of a library that it depends on.',
      args: z.strictObject({ path: readable, offset: count, limit: count }),
      toArguments: ({ path, offset, limit }) => ({
        path,
        offset: offset ?? 0,
        limit: limit ?? MOST_CHARACTERS,
      }),
      render: ({ content, total, next }, { limit }) => {
        if (next === undefined || limit !== undefined) return content;
        throw new HarborError(
          'bad_arguments',
          `The file has ${total} characters; at most ${MOST_CHARACTERS} (1 MiB) are read at once. Give offset and limit.`,
        );
      },
    }),
    writing({
      name: 'fs-write-file',
      description: 'Creates or overwrites a file of the project; folders are made.',
      args: z.strictObject({ path: inProject, content: z.string() }),
      toArguments: async ({ path, content }, caller) => {
        const hash = await hashOf(relative(path, caller), caller, options);
        return { path, content, ...(hash === null ? {} : { expected_hash: hash }) };
      },
      render: ({ path }, { content }) => `Wrote ${path} (${content.length} chars)`,
    }),
    listing({
      name: 'fs-list-directory',
      description: 'Lists a folder, without hidden entries and what was built.',
      args: z.strictObject({ path: readable, show_hidden: z.boolean().optional() }),
      toArguments: ({ path, show_hidden: hidden }) => ({ path, hidden }),
      render: ({ entries, path }) => listedText(entries, path),
    }),
    reading({
      name: 'lisp-read-file',
      description: 'Reads a Lisp file collapsed to signatures; forms that a pattern matches are shown whole.',
      args: z.strictObject({
        path: readable,
        collapsed: z.boolean().optional(),
        name_pattern: z.string().optional(),
        content_pattern: z.string().optional(),
        offset: count.describe('In lines, of the plain text'),
        limit: count,
      }),
      toArguments: ({ offset, limit, ...given }) =>
        given.collapsed === false || offset !== undefined || limit !== undefined
          ? { ...given, collapsed: false, limit: MOST_CHARACTERS }
          : given,
      render: ({ content, collapsed }, given, ours) => (collapsed ? ours : linesText(content, given)),
    }),
    editing({
      name: 'lisp-edit-form',
      description:
        'Replaces a top-level form of a Lisp file, or inserts beside it, found by its type and name; the rest keeps its bytes.',
      args: Form.extend({
        operation: z.enum(['replace', 'insert_before', 'insert_after', 'delete']),
        content: z.string().optional(),
      }),
      toArguments: ({ file_path: path, ...given }, caller) => ({ path: relative(path, caller), ...given }),
      render: (result, { operation, ...given }) => editedText(oneEdit(result), editOf(operation, given)),
    }),
    editing({
      name: 'lisp-patch-form',
      description:
        'Replaces text within a top-level form of a Lisp file; refused where it is not there exactly once, or would not balance.',
      args: Form.extend({ old_text: z.string().min(1), new_text: z.string() }),
      toArguments: ({ file_path: path, ...given }, caller) => ({
        ...{ path: relative(path, caller), operation: 'patch' as const },
        ...given,
      }),
      render: (result, given) => {
        const edited = oneEdit(result);
        const sizes = ` (${given.old_text.length} chars → ${given.new_text.length} chars)`;
        return `${editedText(edited, editOf('patch', given))}${edited.written ? sizes : ''}`;
      },
    }),
    searching({
      name: 'clgrep-search',
      description:
        'Searches the Lisp files of the project by a regular expression, without loading them; answers the definition that each match is in.',
      args: z.strictObject({
        pattern: z.string().min(1).describe('Matched line by line'),
        path: readable.optional(),
        recursive: z.boolean().optional(),
        case_insensitive: z.boolean().optional(),
        form_types: z.array(z.string()).optional().describe('["defun", "defmethod"]'),
        limit: z.int().min(1).optional(),
        include_form: z.boolean().optional(),
      }),
      toArguments: ({ case_insensitive: ignore_case, include_form: forms, limit, ...given }) => ({
        ...given,
        ...{ ignore_case, forms },
        ...(limit === undefined ? {} : { limit: Math.min(limit, MOST_MATCHES) }),
      }),
      render: searchedText,
    }),
    starting({
      name: 'project-scaffold',
      description:
        'Makes a folder with a system and tests that run at once with run-tests. Nothing is overwritten.',
      args: NewProjectArguments.extend({
        destination: NewProjectArguments.shape.destination
          .describe('Folder of the project: scaffolds')
          .optional(),
      }),
      toArguments: ({ destination = 'scaffolds', ...given }) => ({ destination, ...given }),
      render: scaffoldedText,
    }),
    checking({
      name: 'lisp-check-parens',
      description: 'Says whether the parentheses of a Lisp file or of code match, and if not, where.',
      args: z.strictObject({
        path: readable.optional(),
        code: z.string().optional(),
        offset: count,
        limit: count,
      }),
      toArguments: (given) => given,
      render: balanceText,
    }),
    placing({
      name: 'code-ast-at',
      description: 'The forms that a line and column of a Lisp file are in, the innermost first.',
      args: z.strictObject({ path: readable, line: z.int(), column: count }),
      toArguments: (given) => given,
    }),
  ];
}

/** Those members that the result of one edit always has. */
function oneEdit({ written, path = '', diff = '' }: EditFormResult) {
  return { written, path, diff };
}

function editOf(operation: string, { form_type: type, form_name: name, dry_run }: z.output<typeof Form>) {
  return { operation, of: `${type} ${name}`, dryRun: dry_run === true };
}

/** @throws HarborError `path_not_allowed` */
function relative(path: string, { project }: Pick<Caller, 'project'>): string {
  if (!posix.isAbsolute(path) && !win32.isAbsolute(path)) return path;
  const short = shortPath(path, project);
  throw new HarborError(
    'path_not_allowed',
    `${path} is absolute: files are written in the project only, by a path relative to its root${short === path ? '' : `, here ${short}`}.`,
  );
}

/** Of what is overwritten; null for a new file. */
export async function hashOf(
  path: string,
  { project }: Caller,
  { files }: FileToolOptions,
): Promise<string | null> {
  try {
    return (await files.read(project, path)).hash;
  } catch (error) {
    if (error instanceof HarborError && error.code === 'file_missing') return null;
    throw error;
  }
}
