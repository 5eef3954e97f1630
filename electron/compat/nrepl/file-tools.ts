/** The tools of clojure-mcp for files: read Clojure by definitions, edit it by forms, and search. */

import { z } from 'zod';
import { HarborError } from '../../contract/errors';
import { Positions } from '../../source/text';
import { editFormTool } from '../../tools/files/edit-form-tool';
import { readFileTool } from '../../tools/files/read-file-tool';
import { type FileToolOptions, fileCaller, openText } from '../../tools/files/text-files';
import { type DefinitionsOptions, writeFileTool } from '../../tools/files/write-file-tool';
import type { Caller, Tool } from '../../tools/tool';
import { hashOf } from '../lisp-mcp-server/file-tools';
import { adaptersOf } from '../tool-adapter';
import { listDirectoryTool, searchFilesTool } from '../tools/search-tools';
import { mendDelimitersTool, replaceExpressionTool } from '../tools/source-tools';

const file = z.string().min(1).describe('Relative to the project, or absolute');
const folder = z.string().min(1).optional().describe('Default: the project');
const most = z.int().min(1).max(1000).optional();
const lines = z.int().min(0).optional();

export function nreplFileTools(options: DefinitionsOptions): Tool[] {
  return [...readingTools(options), ...structuralTools(options), ...textTools(options)];
}

function readingTools(options: FileToolOptions): Tool[] {
  const searching = adaptersOf(searchFilesTool(options));
  return [
    adaptersOf(readFileTool(options))({
      name: 'read_file',
      description:
        'Reads a file. Clojure is collapsed to a line for each top-level form, with those in full that match a pattern; collapsed: false, or lines, give the plain text.',
      args: z.strictObject({
        path: file,
        collapsed: z.boolean().optional(),
        name_pattern: z.string().optional().describe('Forms by name, such as validate.*'),
        content_pattern: z.string().optional().describe('Forms by content, such as try|catch'),
        line_offset: lines,
        limit: lines.describe('Lines'),
      }),
      toArguments: async ({ path, line_offset: first, limit, ...collapsing }, caller) =>
        first === undefined && limit === undefined
          ? { path, ...collapsing }
          : { path, ...(await charactersOf(path, first, limit, caller, options)) },
    }),
    adaptersOf(listDirectoryTool(options))({
      name: 'LS',
      description: 'Lists the folders and files in a folder.',
      args: z.strictObject({ path: folder }),
      toArguments: ({ path = '.' }) => ({ path }),
      render: ({ entries }) =>
        entries.map(({ name, type }) => (type === 'directory' ? `${name}/` : name)).join('\n'),
    }),
    searching({
      name: 'grep',
      description: 'Lines that match a regular expression, in the files of a folder.',
      args: z.strictObject({
        pattern: z.string().min(1),
        path: folder,
        include: z.string().min(1).optional().describe('Such as *.{clj,cljs}'),
        max_results: most,
      }),
      toArguments: ({ include: glob, max_results: limit, ...given }) => ({ ...given, glob, limit }),
    }),
    searching({
      name: 'glob_files',
      description: 'Files by a glob, such as **/*.clj.',
      args: z.strictObject({ pattern: z.string().min(1), path: folder, max_results: most }),
      toArguments: ({ pattern: glob, max_results: limit, path }) => ({ glob, limit, path }),
    }),
  ];
}

function structuralTools(options: FileToolOptions): Tool[] {
  return [
    adaptersOf(editFormTool(options))({
      name: 'clojure_edit',
      description:
        'Replaces a top-level form of a Clojure file, or inserts before or after it, found by type and name; the rest keeps its bytes, and unbalanced results are refused with the likely fix.',
      args: z.strictObject({
        file_path: file,
        form_type: z.string().min(1).describe('defn, def, defmethod, ns, s/def'),
        form_identifier: z
          .string()
          .min(1)
          .describe('Its name; for a method with its dispatch value: area :square'),
        operation: z.enum(['replace', 'insert_before', 'insert_after']),
        content: z.string(),
      }),
      toArguments: ({ file_path: path, form_identifier: name, ...given }) => ({
        path,
        form_name: name,
        ...given,
      }),
    }),
    adaptersOf(replaceExpressionTool(options))({
      name: 'clojure_edit_replace_sexp',
      description:
        'Replaces an expression in a Clojure file: the first occurrence, or all. Blanks and comments in it do not matter.',
      args: z.strictObject({
        file_path: file,
        match_form: z.string().min(1),
        new_form: z.string(),
        replace_all: z.boolean().optional(),
      }),
      toArguments: ({
        file_path: path,
        match_form: expression,
        new_form: replacement,
        replace_all: all,
      }) => ({
        ...{ path, expression, replacement, all },
      }),
    }),
    adaptersOf(mendDelimitersTool(options))({
      name: 'paren_repair',
      description:
        'Fixes unmatched delimiters of a Clojure file by its indentation, and reports the changes.',
      args: z.strictObject({ file_path: file }),
      toArguments: ({ file_path: path }) => ({ path }),
    }),
  ];
}

function textTools(options: DefinitionsOptions): Tool[] {
  const writing = adaptersOf(writeFileTool(options));
  return [
    writing({
      name: 'file_edit',
      description: 'Replaces a text that occurs in a file once; then reports unmatched delimiters.',
      args: z.strictObject({ file_path: file, old_string: z.string().min(1), new_string: z.string() }),
      toArguments: ({ file_path: path, old_string: before, new_string: after }, caller) =>
        replacing(path, [before, after], caller, options),
    }),
    writing({
      name: 'file_write',
      description: 'Creates or overwrites a file; reports unmatched delimiters.',
      args: z.strictObject({ file_path: file, content: z.string() }),
      toArguments: async ({ file_path: path, content }, caller) => {
        const hash = await hashOf(path, caller, options);
        return { path, content, ...(hash === null ? {} : { expected_hash: hash }) };
      },
    }),
  ];
}

/** Converts lines of a file to characters, which our tool counts in. */
export async function charactersOf(
  path: string,
  first = 0,
  count: number | undefined,
  caller: Caller,
  options: FileToolOptions,
): Promise<{ offset: number; limit?: number }> {
  const { text } = await openText(path, caller, options, fileCaller(caller));
  const positions = new Positions(text);
  const startOf = (line: number) => (line < positions.lineCount ? positions.startOf(line + 1) : text.length);
  const offset = startOf(first);
  return { offset, ...(count === undefined ? {} : { limit: startOf(first + count) - offset }) };
}

/** @throws HarborError `bad_arguments` unless the text occurs exactly once */
async function replacing(
  path: string,
  [before, after]: readonly [string, string],
  caller: Caller,
  options: FileToolOptions,
) {
  const { text, hash, encoding } = await openText(path, caller, options, fileCaller(caller));
  const times = text.split(before).length - 1;
  if (times === 1 && encoding === 'utf-8')
    return { path, content: text.replace(before, () => after), expected_hash: hash };
  throw new HarborError(
    'bad_arguments',
    times === 1
      ? `${path} is not UTF-8. Edit it by its forms, which keeps its encoding.`
      : `old_string occurs ${times} times in ${path}. It must occur exactly once, blanks and newlines included.`,
  );
}
