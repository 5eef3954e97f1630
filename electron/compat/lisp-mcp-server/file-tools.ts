/** The `fs` tools of lisp-mcp-server, and those of its later versions that read and edit Lisp files. */

import { posix, win32 } from 'node:path';
import { z } from 'zod';
import { HarborError } from '../../contract/errors';
import { lispString } from '../../contract/knowledge';
import { diagnosisText } from '../../source/diagnosis';
import { editFormTool } from '../../tools/files/edit-form-tool';
import type { EditFormResult } from '../../tools/files/form-edits';
import { MAX_CHARACTERS, readFileTool } from '../../tools/files/read-file-tool';
import type { FileToolOptions } from '../../tools/files/text-files';
import { type DefinitionsOptions, writeFileTool } from '../../tools/files/write-file-tool';
import { shortPath } from '../../tools/source-places';
import type { Caller, Tool } from '../../tools/tool';
import { adaptersOf } from '../tool-adapter';
import { NewProjectArguments, type NewProjectToolOptions, newProjectTool } from '../tools/project-tools';
import { listDirectoryTool, MAX_MATCHES, type SearchedForm, searchFormsTool } from '../tools/search-tools';
import { type BalanceCheck, checkBalanceTool, formAtTool } from '../tools/source-tools';
import { GUARD_ARGUMENTS, guardedHash } from './edit-guard';

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
        limit: limit ?? MAX_CHARACTERS,
      }),
      render: ({ content, total, next }, { limit }) => {
        if (next === undefined || limit !== undefined) return content;
        throw new HarborError(
          'bad_arguments',
          `The file has ${total} characters; at most ${MAX_CHARACTERS} (1 MiB) are read at once. Give offset and limit.`,
        );
      },
    }),
    writing({
      name: 'fs-write-file',
      description: 'Creates or overwrites a file of the project; creates its folders.',
      args: z.strictObject({ path: inProject, content: z.string() }),
      toArguments: async ({ path, content }, caller) => {
        const hash = await hashOf(relative(path, caller), caller, options);
        return { path, content, ...(hash === null ? {} : { expected_hash: hash }) };
      },
      render: ({ path }, { content }) => `Wrote ${path} (${content.length} chars)`,
    }),
    listing({
      name: 'fs-list-directory',
      description: 'Lists a folder, without hidden and built files.',
      args: z.strictObject({ path: readable, show_hidden: z.boolean().optional() }),
      toArguments: ({ path, show_hidden: hidden }) => ({ path, hidden }),
      render: ({ entries, path }) => listedText(entries, path),
    }),
    reading({
      name: 'lisp-read-file',
      description: 'Reads a Lisp file collapsed to signatures; forms that match a pattern are shown in full.',
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
          ? { ...given, collapsed: false, limit: MAX_CHARACTERS }
          : given,
      render: ({ content, collapsed }, given, ours) => (collapsed ? ours : linesText(content, given)),
    }),
    editing({
      name: 'lisp-edit-form',
      description:
        'Replaces a top-level form of a Lisp file, or inserts before or after it, found by its type and name; the rest keeps its bytes.',
      args: Form.extend({
        operation: z.enum(['replace', 'insert_before', 'insert_after', 'delete']),
        content: z.string().optional(),
        ...GUARD_ARGUMENTS,
      }),
      toArguments: async ({ file_path, guard, guard_token, ...given }, caller) => {
        const path = relative(file_path, caller);
        const hash = await guardedHash({ ...given, path, guard, guard_token }, caller, options);
        return { path, ...given, ...(hash === undefined ? {} : { expected_hash: hash }) };
      },
      render: (result, { operation, ...given }) => editedText(oneEdit(result), editOf(operation, given)),
    }),
    editing({
      name: 'lisp-patch-form',
      description:
        'Replaces text within a top-level form of a Lisp file; refused if the text does not occur exactly once, or the result would be unbalanced.',
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
        'Searches the Lisp files of the project by a regular expression, without loading them; returns the definition around each match.',
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
        ...(limit === undefined ? {} : { limit: Math.min(limit, MAX_MATCHES) }),
      }),
      render: searchedText,
    }),
    starting({
      name: 'project-scaffold',
      description:
        'Creates a folder with a system and tests that run at once with run-tests. Nothing is overwritten.',
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
      description:
        'Checks whether the parentheses of a Lisp file or of code match and reports where they do not.',
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
      description: 'The forms around a line and column of a Lisp file, the innermost first.',
      args: z.strictObject({ path: readable, line: z.int(), column: count }),
      toArguments: (given) => given,
    }),
  ];
}

/** Returns the members that the result of one edit always has. */
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
    `${path} is absolute: files are written only in the project, by a path relative to its root${short === path ? '' : `, here ${short}`}.`,
  );
}

/** Returns the hash of the file to overwrite; null for a new file. */
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

// Results of file tools as lisp-mcp-server prints them.

/** Lists matches by file and line, with the signature of the form around each. */
function searchedText(
  { matches, count }: { matches: readonly SearchedForm[]; count: number },
  { pattern, path }: { pattern: string; path?: string | undefined },
): string {
  const where = path === undefined ? '' : ` in ${path}`;
  return [
    `${count} ${count === 1 ? 'match' : 'matches'} for ${lispString(pattern)}${where}:`,
    ...matches.flatMap(
      ({ file, line, signature, match, form, 'form-type': type, match_lines: lines = [] }) => [
        `  ${file}:${line} [${type}] ${signature ?? match}${alsoText(lines.slice(1))}`,
        ...(form === undefined ? [] : [form]),
      ],
    ),
  ].join('\n');
}

function alsoText(lines: readonly { line: number }[]): string {
  return lines.length === 0 ? '' : ` (also at ${lines.map(({ line }) => line).join(', ')})`;
}

/** Returns a sentence about an edit, or about what a dry run would do. */
function editedText(
  { written, diff, path }: { written: boolean; diff: string; path: string },
  { operation, of, dryRun }: { operation: string; of: string; dryRun: boolean },
): string {
  if (dryRun)
    return `Dry-run ${operation} on ${of} in ${path} (${diff === '' ? 'no change' : 'would change'})\n${diff}`.trimEnd();
  if (!written) return `No change to ${of} in ${path}`;
  return `Applied ${operation} to ${of} in ${path}`;
}

/** Lists a folder, one entry per line. */
function listedText(entries: readonly { name: string; type: string }[], path: string): string {
  const lines = entries.map(({ name, type }) => `${type === 'directory' ? '[dir] ' : '[file]'} ${name}`);
  return [`${entries.length} entries in ${path}`, ...lines].join('\n');
}

/** Reports whether parentheses match; if not, the problem and a likely fix. */
function balanceText({ message, fix }: Partial<Pick<BalanceCheck, 'message' | 'fix'>>): string {
  if (message === undefined) return 'Parentheses are balanced';
  return `Unbalanced parentheses: ${diagnosisText({ message, fix })}`;
}

/** Default maximum number of lines in one result. */
const DEFAULT_LINES = 500;

/** Returns some lines of a plain text, and the offset of the rest. */
function linesText(
  content: string,
  { offset = 0, limit = DEFAULT_LINES }: { offset?: number | undefined; limit?: number | undefined },
): string {
  const lines = content.split('\n');
  const total = content.endsWith('\n') ? lines.length - 1 : lines.length;
  const end = Math.min(offset + limit, total);
  if (offset === 0 && end === total) return content;
  const shown = lines.slice(offset, end).join('\n');
  const more = end < total ? ` Use offset=${end} to read more.` : '';
  return `${shown}\n[Showing lines ${offset + 1}-${end} of ${total}.${more}]`;
}

/** Returns what was created, and the next steps. */
function scaffoldedText(
  { path, absolute_path: absolute, files, framework }: ScaffoldedProject,
  { name }: { name: string },
): string {
  const testing =
    framework === null ? ' (no test framework was found: ASDF alone says whether they pass)' : '';
  return [
    `Scaffolded ${name} at ${path} (${files.length} files)`,
    `Path: ${absolute}`,
    `To load: run load-system with {"system": "${name}"}`,
    `To test: run run-tests with {"system": "${name}/tests"}${testing}`,
    `To edit: use lisp-edit-form with paths under ${path}`,
  ].join('\n');
}

interface ScaffoldedProject {
  path: string;
  absolute_path: string;
  files: readonly string[];
  framework: string | null;
}
