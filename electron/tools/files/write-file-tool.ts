/** The tool `write_file`: writes whole files, new ones, and others by the hash of what they hold. */
import { z } from 'zod';
import { HarborError } from '../../contract/errors';
import { diagnosisOf, diagnosisText } from '../../source/diagnosis';
import { dialectOfFile } from '../../source/dialect';
import { read } from '../../source/reader';
import { shortPath } from '../source-places';
import type { Caller, Tool } from '../tool';
import { changeFile, checkHash, type FileToolOptions, keptNotes } from './text-files';

const WriteFileArguments = z.strictObject({
  path: z.string().min(1).max(4000).describe('Folders are made'),
  content: z.string().max(4_000_000),
  expected_hash: z.string().optional().describe('As read_file told it'),
});
type WriteFileArguments = z.output<typeof WriteFileArguments>;

const WriteFileResult = z.object({
  path: z.string(),
  hash: z.string(),
  created: z.boolean(),
  notes: z.array(z.string()),
});

export function writeFileTool(
  options: FileToolOptions,
): Tool<typeof WriteFileArguments, typeof WriteFileResult> {
  return {
    name: 'write_file',
    title: 'Write a file',
    description:
      'Writes a new file into the project, exactly as given. A file that exists is replaced only with the hash of what it holds; its text is kept in the history. To change Lisp, edit_form is safer.',
    scope: 'evaluate',
    approval: 'write',
    args: WriteFileArguments,
    result: WriteFileResult,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    async run(args, caller) {
      const { path: file, hash, kept } = await write(args, caller, options);
      const structured = {
        path: shortPath(file, caller.project),
        hash,
        created: kept === null,
        notes: [...keptNotes({ kept }), ...balanceNotes(args)],
      };
      const done = structured.created ? 'Created' : 'Replaced';
      const text = [
        `${done} ${structured.path} · hash ${hash}`,
        ...structured.notes.map((each) => `; note: ${each}`),
      ];
      return { structured, text: text.join('\n'), isError: false };
    },
  };
}

/** @throws HarborError `file_exists`, `hash_mismatch`, and as `GuardedFiles.write` */
async function write(
  { path, content, expected_hash: expected }: WriteFileArguments,
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
    return { ...(await options.files.write(caller.project, path, bytes, null)), kept: null };
  } catch (error) {
    if (!(error instanceof HarborError) || error.code !== 'file_exists') throw error;
    throw new HarborError(
      'file_exists',
      `${path} exists already. Change forms in it with \`edit_form\`, or pass expected_hash, which \`read_file\` tells, to replace it whole.`,
    );
  }
}

/** A Lisp file may be written however it is, but its writer should know. */
function balanceNotes({ path, content }: WriteFileArguments): string[] {
  const dialect = dialectOfFile(path);
  const diagnosis = dialect && diagnosisOf(read(content, dialect));
  return diagnosis ? [`The delimiters of what was written do not match. ${diagnosisText(diagnosis)}`] : [];
}
