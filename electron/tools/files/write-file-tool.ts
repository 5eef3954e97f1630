/** The tool `write_file`: writes whole files, new ones, and others by the hash of what they hold; or what a session has defined. */
import { z } from 'zod';
import { HarborError } from '../../contract/errors';
import { diagnosisOf, diagnosisText } from '../../source/diagnosis';
import { dialectOfFile } from '../../source/dialect';
import { read } from '../../source/reader';
import { shortPath } from '../source-places';
import type { Caller, Tool, ToolResult } from '../tool';
import { changedText } from './changed-files';
import { changeFile, checkHash, type FileToolOptions, keptNotes, rowOf } from './text-files';
import { type DefinitionsOptions, type WrittenDefinitions, writeDefinitions } from './write-definitions';

const WriteFileArguments = z.strictObject({
  path: z.string().min(1).max(4000),
  content: z.string().max(4_000_000).optional(),
  definitions: z
    .union([z.boolean(), z.array(z.string().min(1)).min(1)])
    .optional()
    .describe('Names, or true: all'),
  session: z.string().optional(),
  expected_hash: z.string().optional(),
});

const WriteFileResult = z.object({
  path: z.string(),
  hash: z.string(),
  created: z.boolean(),
  definitions: z.int().optional(),
  replaced: z.array(z.string()).optional(),
  added: z.array(z.string()).optional(),
  notes: z.array(z.string()),
});
type WriteFileResult = z.infer<typeof WriteFileResult>;

/** Content that is written as it was given. */
interface ContentOrder {
  path: string;
  content: string;
  expected_hash?: string | undefined;
}

export function writeFileTool(
  options: DefinitionsOptions,
): Tool<typeof WriteFileArguments, typeof WriteFileResult> {
  return {
    name: 'write_file',
    title: 'Write a file',
    description:
      'Writes a new file exactly as given; one that exists is replaced only by its hash. To change Lisp, edit_form is safer. definitions: what the session defined and no file holds, as evaluated, into a new file, or one that exists: in the place of its old form, else added.',
    scope: 'evaluate',
    approval: 'write',
    args: WriteFileArguments,
    result: WriteFileResult,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    async run(args, caller) {
      const { content, definitions, ...place } = args;
      if (definitions && content === undefined)
        return definitionsAnswer(await writeDefinitions({ ...place, definitions }, caller, options));
      if (content === undefined || definitions)
        throw new HarborError('bad_arguments', 'Give either content or definitions.');
      return contentAnswer({ ...place, content }, caller, options);
    },
  };
}

function definitionsAnswer(written: WrittenDefinitions): ToolResult<WriteFileResult> {
  const { files, count, replaced, added, notes } = written;
  const [file] = files;
  if (!file) throw new Error('no file was written');
  const structured = {
    path: file.path,
    hash: file.hash,
    created: file.kept === null,
    definitions: count,
    replaced,
    added,
    notes,
  };
  const text = [
    `Wrote ${count} ${count === 1 ? 'definition' : 'definitions'}`,
    ...(replaced.length > 0 ? [`; replaced ${replaced.join(', ')}`] : []),
    ...(added.length > 0 ? [`; added ${added.join(', ')}`] : []),
    ...files.map((each) => `; ${changedText(each)}`),
    ...notes.map((note) => `; note: ${note}`),
  ];
  return { structured, text: text.join('\n'), isError: false };
}

async function contentAnswer(
  order: ContentOrder,
  caller: Caller,
  options: FileToolOptions,
): Promise<ToolResult<WriteFileResult>> {
  const { path: file, hash, kept } = await write(order, caller, options);
  const structured = {
    path: shortPath(file, caller.project),
    hash,
    created: kept === null,
    notes: [...keptNotes({ kept }), ...balanceNotes(order)],
  };
  const done = structured.created ? 'Created' : 'Replaced';
  const text = [
    `${done} ${structured.path} · hash ${hash}`,
    ...structured.notes.map((each) => `; note: ${each}`),
  ];
  return { structured, text: text.join('\n'), isError: false };
}

/** @throws HarborError `file_exists`, `hash_mismatch`, and as `GuardedFiles.write` */
async function write(
  { path, content, expected_hash: expected }: ContentOrder,
  caller: Caller,
  options: FileToolOptions,
): Promise<{ path: string; hash: string; kept: number | null }> {
  const bytes = Buffer.from(content, 'utf8');
  if (expected !== undefined)
    return changeFile(path, caller, options, (file) => {
      checkHash({ ...file, shown: shortPath(file.path, caller.project) }, expected);
      return { bytes, answer: null };
    });
  try {
    const written = await options.files.write(caller.project, path, bytes, null);
    options.history.replacedFiles.add(rowOf(caller, written.path, null));
    return { ...written, kept: null };
  } catch (error) {
    if (!(error instanceof HarborError) || error.code !== 'file_exists') throw error;
    throw new HarborError(
      'file_exists',
      `${path} exists already. Change forms in it with \`edit_form\`, or pass expected_hash, which \`read_file\` tells, to replace it whole.`,
    );
  }
}

/** A Lisp file may be written however it is, but its writer should know. */
function balanceNotes({ path, content }: ContentOrder): string[] {
  const dialect = dialectOfFile(path);
  const diagnosis = dialect && diagnosisOf(read(content, dialect));
  return diagnosis ? [`The delimiters of what was written do not match. ${diagnosisText(diagnosis)}`] : [];
}
