/**
 * The tool `write_file`: writes whole files (new ones, or others by their hash), or the definitions of a
 * session.
 */

import { z } from 'zod';
import { HarborError, similarNames } from '../../contract/errors';
import { mention, ours } from '../../contract/mention';
import { type Note, NoteText, note } from '../../contract/note';
import { KnownForms } from '../../sessions/changes/known-forms';
import { mergedDefinitions } from '../../sessions/export/merged-definitions';
import { type ChosenDefinitions, chosenDefinitions } from '../../sessions/export/session-source';
import type { Session } from '../../sessions/session/session';
import type { Sessions } from '../../sessions/sessions';
import { diagnosisOf, diagnosisText } from '../../source/diagnosis';
import { dialectOfFile } from '../../source/dialect';
import type { FileChanges, FileToChange } from '../../source/files';
import { readFile } from '../../source/own-syntax';
import { bytesOf, declaredEncoding, type Text } from '../../source/text';
import { sessionOf } from '../arguments';
import { shortPath } from '../source-places';
import type { Caller, Tool, ToolResult } from '../tool';
import {
  type ChangedFile,
  changedText,
  changeFile,
  changeFiles,
  checkHash,
  type FileToolOptions,
  fileOf,
  mayWrite,
  newFileOf,
  rowOf,
  savedNotes,
  sourceOf,
  textFile,
  type Writing,
  withPreview,
} from './text-files';

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
  notes: z.array(NoteText),
});
type WriteFileResult = z.input<typeof WriteFileResult>;

/** Content that is written as given. */
interface ContentOrder {
  path: string;
  content: string;
  expected_hash?: string | undefined;
}

export function writeFileTool(
  options: DefinitionsOptions,
): Tool<typeof WriteFileArguments, typeof WriteFileResult> {
  return withPreview({
    name: 'write_file',
    title: 'Write a file',
    description:
      'Writes a new file exactly as given; an existing one is replaced only by its hash. To change Lisp, edit_form is safer. definitions: what the session defined and no file has, as evaluated, into a new or an existing file, replacing the old form or added.',
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
  });
}

function definitionsAnswer(written: WrittenDefinitions): ToolResult<WriteFileResult> {
  const { files, count, replaced, added, notes } = written;
  const [file] = files;
  if (!file) throw new Error('no file was written');
  const structured = {
    path: file.path,
    hash: file.hash,
    created: file.savedAs === null,
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
  ];
  return { structured, text: text.join('\n'), notes, isError: false };
}

async function contentAnswer(
  order: ContentOrder,
  caller: Caller,
  options: FileToolOptions,
): Promise<ToolResult<WriteFileResult>> {
  const { path: file, hash, savedAs } = await writeContent(order, caller, options);
  const structured = {
    path: shortPath(file, caller.project),
    hash,
    created: savedAs === null,
    notes: [...savedNotes({ savedAs }), ...balanceNotes(order)],
  };
  const done = structured.created ? 'Created' : 'Replaced';
  const text = `${done} ${structured.path} · hash ${hash}`;
  return { structured, text, notes: structured.notes, isError: false };
}

/** @throws HarborError `file_exists`, `hash_mismatch`, and as `GuardedFiles.write` */
export async function writeContent(
  { path, content, expected_hash: expected }: ContentOrder,
  caller: Writing,
  options: FileToolOptions,
): Promise<{ path: string; hash: string; savedAs: number | null }> {
  const bytes = bytesOf({ text: content, encoding: declaredEncoding(content) });
  if (expected !== undefined)
    return changeFile(path, caller, options, (file) => {
      checkHash({ ...file, shown: shortPath(file.path, caller.project) }, expected);
      return { bytes, answer: null };
    });
  if (!mayWrite({ path, before: null, after: bytes }, caller)) return { path, hash: '', savedAs: null };
  try {
    const written = await options.files.write(caller.project, path, bytes, null);
    const row = options.history.replacedFiles.add(rowOf(caller, written.path, null));
    options.history.replacedFiles.wrote(row, written.hash);
    return { ...written, savedAs: null };
  } catch (error) {
    if (!(error instanceof HarborError) || error.code !== 'file_exists') throw error;
    throw new HarborError('file_exists', `${path} already exists.`, {
      mentions: [
        mention`Change its forms with ${ours('edit_form')}, or pass expected_hash, which ${ours('read_file')} returns, to replace it.`,
      ],
    });
  }
}

/** Returns a warning about a Lisp file with unbalanced delimiters. It is written anyway. */
function balanceNotes({ path, content }: ContentOrder): Note[] {
  const dialect = dialectOfFile(path);
  const diagnosis = dialect && diagnosisOf(readFile(content, dialect));
  if (!diagnosis) return [];
  return [note('unbalanced', `The delimiters of the written text do not match. ${diagnosisText(diagnosis)}`)];
}

/** Writes definitions of a session that no file has into a file, from the evaluated text. */
export type DefinitionsOptions = FileToolOptions & { sessions: Sessions };

interface DefinitionsOrder {
  path: string;
  /** true: all that no file has. */
  definitions: true | readonly string[];
  session?: string | undefined;
  expected_hash?: string | undefined;
}

interface WrittenDefinitions {
  files: ChangedFile[];
  /** Number of definitions written. */
  count: number;
  /** Titles of the forms that were replaced in the file, and of those that were added. */
  replaced: string[];
  added: string[];
  notes: Note[];
}

/**
 * @throws HarborError `bad_arguments` if there is nothing to write, or no place for it in the file; as
 *   `changeFiles`
 */
async function writeDefinitions(
  { session: handle, ...order }: DefinitionsOrder,
  caller: Caller,
  options: DefinitionsOptions,
): Promise<WrittenDefinitions> {
  requireLispFile(order.path);
  const { session, notes } = await sessionOf(handle, caller, options.sessions);
  const written = await writeDefinitionsOf(session, order, caller, options);
  return { ...written, notes: [...notes, ...written.notes] };
}

/**
 * Same as `writeDefinitions` for a given session.
 * @throws HarborError as `writeDefinitions`
 */
export async function writeDefinitionsOf(
  session: Session,
  { path, definitions: names, expected_hash: expected }: Omit<DefinitionsOrder, 'session'>,
  by: Writing,
  options: FileToolOptions,
): Promise<WrittenDefinitions> {
  requireLispFile(path);
  const writing = { ...by, session: session.id };
  const wanted = names === true ? null : names;
  const chosen = await chosenDefinitions(session, options.history.evaluations, wanted, path);
  if (chosen.definitions.length === 0)
    throw new HarborError('bad_arguments', `${session.id} has no definitions that are not in a file.`);
  const { portcullis, missing, elsewhere, omitted = [] } = chosen;
  const known = expected === undefined ? await KnownForms.of(session, path, options.history) : null;
  const isKnown = (code: string, own: string) => known?.has(code, own) ?? true;
  const bookFiles =
    portcullis === undefined ? [] : [{ path: path.replace(/\.\w+$/, '.acl2'), text: portcullis }];
  const edit = (found: readonly FileToChange[]): FileChanges<MergeCounts> => {
    const [file, ...others] = found as [FileToChange, ...FileToChange[]];
    const merged = mergedInto(file, { ...chosen, isKnown }, expected, writing);
    const books = others.map((other, index): [string, Uint8Array] => [
      newFileOf(other, bookFiles[index]?.path ?? path),
      Buffer.from(bookFiles[index]?.text ?? ''),
    ]);
    return { bytes: new Map([[merged.path, bytesOf(merged)], ...books]), answer: merged };
  };
  const paths = [path, ...bookFiles.map((each) => each.path)];
  const { changed, answer } = await changeFiles(paths, writing, options, edit);
  if (!by.collects) session.saved.add(chosen.definitions);
  return {
    files: [...changed.values()],
    count: chosen.definitions.length,
    replaced: answer.replaced,
    added: answer.added,
    notes: [
      ...(missing.length === 0
        ? []
        : [
            note(
              'omitted',
              `Omitted, because the forms that made them failed, or were read with a readtable that has no name: ${missing.join(', ')}.`,
            ),
          ]),
      ...(omitted.length === 0
        ? []
        : [note('omitted', `Omitted, because a book cannot contain them: ${similarNames('', omitted)}.`)]),
      ...(elsewhere.length === 0
        ? []
        : [
            note(
              'omitted',
              `Omitted, because they are in other namespaces: ${similarNames('', elsewhere)}. Write each to its own file.`,
            ),
          ]),
    ],
  };
}

function requireLispFile(path: string): void {
  if (dialectOfFile(path) !== null) return;
  throw new HarborError(
    'bad_arguments',
    `${path} is not a Lisp file by its name, so definitions cannot be written to it.`,
  );
}

type MergeCounts = Pick<WrittenDefinitions, 'replaced' | 'added'>;

/**
 * Returns the text of the new or existing file with the definitions in it.
 * @throws HarborError
 */
function mergedInto(
  found: FileToChange,
  { text, forms, isKnown }: ChosenDefinitions & { isKnown: (code: string, own: string) => boolean },
  expected: string | undefined,
  { project }: Writing,
): MergeCounts & Text & { path: string } {
  if ('missing' in found) return { path: found.path, text, encoding: 'utf-8', replaced: [], added: [] };
  const bytes = fileOf(found);
  const file = textFile(bytes, shortPath(bytes.path, project));
  checkHash(file, expected);
  if (forms.length > 0)
    return { path: file.path, encoding: file.encoding, ...mergedDefinitions(sourceOf(file), forms, isKnown) };
  throw new HarborError(
    'file_exists',
    `${file.shown} already exists, and a book is written whole: name a new file.`,
  );
}
