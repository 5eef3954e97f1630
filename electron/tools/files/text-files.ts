/** Files as the tools use them: guarded text, with overwritten content saved in the history. */

import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { FileCaller, FileDiff } from '../../contract/approvals';
import { HarborError, listSimilarNames } from '../../contract/errors';
import { mention, ours } from '../../contract/mention';
import { type Note, note } from '../../contract/note';

import type { History } from '../../history/history';
import type { ReplacedFile } from '../../history/replaced-files';
import { PartlyWritten } from '../../sandbox/file-transaction';
import type { Sessions } from '../../sessions/sessions';
import { dialectOfFile } from '../../source/dialect';
import { unifiedDiff } from '../../source/edit';
import type { FileBytes, FileChange, FileChanges, FileToChange, GuardedFiles } from '../../source/files';
import { jarEntries, jarFile, pathInJar } from '../../source/jar';
import { type FileSource, readFile } from '../../source/own-syntax';
import { type Encoding, Positions, type Text, textOf } from '../../source/text';

import { topLevelForms } from '../../source/top-level-forms';
import { shortPath } from '../source-places';
import type { Caller, Tool } from '../tool';

export interface FileToolOptions {
  files: GuardedFiles;
  history: History;
}

export interface TextFile extends Text {
  /** The real path. */
  path: string;
  /** Relative to the project if inside it. */
  shown: string;
  bytes: Uint8Array;
  hash: string;
}

/** A file after a change: its real path, its hash, and the result of the edit. */
interface Written<A> {
  path: string;
  hash: string;
  answer: A;
  /** The row of the history that saves the previous content; null if nothing was written. */
  savedAs: number | null;
}

/** The writing client and project, and the session if there is one. */
export type Writing = Pick<Caller, 'client' | 'project'> &
  Partial<Pick<Caller, 'grant' | 'collects'>> & { session?: string };

/** The hash of content that is not a writable file. */
const READ_ONLY = '';

/** `history:12`: the content that a write replaced. */
const SAVED_CONTENT = /^history:(\d+)$/;

/** Returns the caller of a read, for which the user may be asked for permission. */
export function fileCaller({ client, tool, signal }: Caller): FileCaller {
  return { client: client.key, tool, signal };
}

/**
 * @param asking the caller for which the user may be asked for permission; absent: the user is not asked
 * @throws HarborError as `GuardedFiles.read`; `not_a_file` for bytes that are not text
 */
export async function openText(
  path: string,
  caller: Pick<Caller, 'project'>,
  options: FileToolOptions,
  asking?: FileCaller,
): Promise<TextFile> {
  const savedAs = SAVED_CONTENT.exec(path)?.[1];
  const inside = pathInJar(path);
  if (savedAs !== undefined) return textFile(savedFile(Number(savedAs), path, caller, options.history), path);
  if (inside === null) {
    const file = await options.files.read(caller.project, path, asking);
    return textFile(file, shortPath(file.path, caller.project));
  }
  const jar = await options.files.read(caller.project, inside.jar, asking);
  const shown = `${shortPath(jar.path, caller.project)}!/${inside.name}`;
  return textFile(fileInJar(jar, inside.name, shown), shown);
}

/** @throws HarborError `not_a_file` */
export function textFile(file: FileBytes, shown: string): TextFile {
  const text = textOf(file.bytes);
  if (text !== null) return { ...file, ...text, shown };
  throw new HarborError(
    'not_a_file',
    `${file.path} is binary (${file.bytes.length} bytes). Only source text is read here; load compiled files into a session.`,
  );
}

/** @throws HarborError `file_missing` */
function fileInJar({ path, bytes }: FileBytes, name: string, shown: string): FileBytes {
  const entries = jarEntries(bytes);
  const entry = entries.find((each) => each.name === name);
  const content = entry && jarFile(bytes, entry);
  if (content) return { path: `${path}!/${name}`, bytes: content, hash: READ_ONLY };
  throw new HarborError(
    'file_missing',
    `There is no ${shown}. ${listSimilarNames(
      name,
      entries.map((each) => each.name),
    )}`,
    { mentions: [mention`${ours('find', 'path')} with path ${path} searches the jar.`] },
  );
}

/** Maximum characters of a file that is read as forms. Parsing a longer one would delay all other callers. */
const MAX_SOURCE_LENGTH = 8 * 1024 * 1024;

/**
 * Returns the forms of a Lisp file.
 * @throws HarborError `bad_arguments` for other files and for those that are too long
 */
export function sourceOf({ path, shown, text }: TextFile): FileSource {
  const dialect = dialectOfFile(path);
  if (dialect === null)
    throw new HarborError('bad_arguments', `${shown} is not a Lisp file by its name, so it has no forms.`);
  if (text.length <= MAX_SOURCE_LENGTH) return readFile(text, dialect);
  throw new HarborError(
    'bad_arguments',
    `${shown} has ${text.length} characters; files with more than ${MAX_SOURCE_LENGTH} are not read as forms. Read parts of it with offset and limit.`,
  );
}

/** @throws HarborError `file_missing` */
function savedFile(id: number, path: string, caller: Pick<Caller, 'project'>, history: History): FileBytes {
  const row = history.replacedFiles.find(id);
  if (row?.project === caller.project) return { path: row.path, bytes: row.bytes, hash: READ_ONLY };
  throw new HarborError('file_missing', `The history of this project has no ${path}.`);
}

/**
 * Changes a file in one step. The previous content is saved in the history.
 * @throws HarborError `hash_mismatch` if it was changed outside meanwhile; `not_supported` if it is
 *   read-only; as `GuardedFiles.change`; errors of `edit`
 */
export async function changeFile<A>(
  path: string,
  caller: Writing,
  { files, history }: FileToolOptions,
  edit: (file: FileBytes) => FileChange<A>,
): Promise<Written<A>> {
  changeable(path);
  let savedAs: number | null = null;
  try {
    const written = await files.change(caller.project, path, (file) => {
      const edited = edit(file);
      const { bytes } = edited;
      if (bytes === null || !mayWrite({ path: file.path, before: file.bytes, after: bytes }, caller))
        return { ...edited, bytes: null };
      savedAs = history.replacedFiles.add(rowOf(caller, file.path, file.bytes));
      return edited;
    });
    if (savedAs !== null) history.replacedFiles.wrote(savedAs, written.hash);
    return { ...written, savedAs };
  } catch (error) {
    if (savedAs !== null) history.replacedFiles.remove(savedAs);
    throw error;
  }
}

/**
 * Returns the history row for a file to be written.
 * @param bytes its content; null: it does not exist
 */
export function rowOf(
  { client, project, session }: Writing,
  path: string,
  bytes: Uint8Array | null,
): ReplacedFile {
  const row = { client: client.key, project, session, path, replacedAt: Date.now() };
  return bytes === null ? { ...row, bytes: new Uint8Array(), created: true } : { ...row, bytes };
}

/** A change of a file. `before` is null for a new one. */
interface Change {
  path: string;
  before: Uint8Array | null;
  after: Uint8Array;
}

/**
 * Reports whether a change is to be written. In a preview it is collected instead.
 * @throws HarborError `hash_mismatch` if the user approved the call and saw another change
 */
export function mayWrite(change: Change, { project, collects, grant }: Writing): boolean {
  const approved = grant?.call?.changes;
  if (!collects && !approved) return true;
  const diff = diffOf(change, project);
  if (collects) {
    collects.push(diff);
    return false;
  }
  if (approved?.some((each) => each.file === diff.file && each.diff === diff.diff)) return true;
  throw new HarborError(
    'hash_mismatch',
    `${diff.file} changed after the user approved this call, so nothing was written. Read it and call again.`,
  );
}

function diffOf({ path, before, after }: Change, project: string): FileDiff {
  const file = shortPath(path, project);
  const [from, to] = [before ?? new Uint8Array(), after].map((bytes) => textOf(bytes)?.text);
  const diff = from === undefined || to === undefined ? null : unifiedDiff(file, from, to);
  if (diff !== null) return { file, diff };
  const hashes = [before, after].map((bytes) =>
    bytes ? createHash('sha256').update(bytes).digest('hex') : 'none',
  );
  return { file, diff: `This change is too large to show, or binary. SHA-256 ${hashes.join(' → ')}` };
}

/** Adds a preview to a tool whose only effects are changes of files by the functions of this file. */
export function withPreview<A extends z.ZodObject, R extends z.ZodType>(tool: Tool<A, R>): Tool<A, R> {
  return {
    ...tool,
    async preview(args, caller) {
      const collects: FileDiff[] = [];
      await tool.run(args, { ...caller, collects }).catch((error: unknown) => {
        // A tool may need the hash of a file that it did not write.
        if (collects.length === 0) throw error;
      });
      return collects;
    },
  };
}

/** @throws HarborError `not_supported` if the path names saved content or a file in a jar */
function changeable(path: string): void {
  if (!SAVED_CONTENT.test(path) && pathInJar(path) === null) return;
  throw new HarborError(
    'not_supported',
    `${path} cannot be written: it is saved content of the history or a file in a jar. Name a file of the project.`,
  );
}

/** Returns a note that says where the previous content is. */
export function savedNotes({ savedAs }: Pick<Written<unknown>, 'savedAs'>): Note[] {
  if (savedAs === null) return [];
  return [
    note('replaced', '', mention`${ours('read_file')} history:${savedAs} returns the previous content.`),
  ];
}

/** Returns a note about a text that is not UTF-8. */
export function encodingNotes(encoding: Encoding): Note[] {
  return encoding === 'utf-8'
    ? []
    : [note('latin1', 'The file is not UTF-8: it is read and written as Latin-1, one character per byte.')];
}

/** @throws HarborError `hash_mismatch` */
export function checkHash(file: Pick<TextFile, 'hash' | 'shown'>, expected: string | undefined): void {
  if (expected === undefined || expected === file.hash) return;
  throw new HarborError(
    'hash_mismatch',
    `${file.shown} has changed since it was read: its hash is ${file.hash}, not ${expected}. Read it again.`,
  );
}

/** Returns a warning about a file that changes the readtable, which may change how its text is read. */
export function readtableNotes(file: TextFile): Note[] {
  if (!/in-readtable/i.test(file.text)) return [];
  const source = sourceOf(file);
  const positions = new Positions(source.text);
  return topLevelForms(source).flatMap(({ type, form, name }) => {
    const table = name?.name ?? 'an unnamed one';
    if (!/^in-readtable$/i.test(type) || /^(?:nil|standard)$/.test(table)) return [];
    return [
      note(
        'readtable',
        `Line ${positions.line(form.start)} changes the readtable to ${table}; forms are found by the standard syntax, so check the diff.`,
      ),
    ];
  });
}

// Changes several files in one step. The previous contents are saved in the history.

/** A file after a change. */
export interface ChangedFile {
  /** Relative to the project if inside it. */
  path: string;
  hash: string;
  /**
   * The row of the history that saves its previous content; null for a new file and for one that was not
   * written.
   */
  savedAs: number | null;
  written: boolean;
}

/**
 * @param edit returns the new bytes of the files by real path
 * @returns the requested files that exist, by real path
 * @throws HarborError as `GuardedFiles.changeAll`; errors of `edit`
 */
export async function changeFiles<A>(
  paths: readonly string[],
  caller: Writing,
  { files, history }: FileToolOptions,
  edit: (files: readonly FileToChange[]) => FileChanges<A>,
): Promise<{ answer: A; changed: ReadonlyMap<string, ChangedFile> }> {
  for (const path of paths) changeable(path);
  const savedAs = new Map<string, number>();
  const [rows, written] = [new Map<string, number>(), new Set<string>()];
  const keep = (found: readonly FileToChange[], bytes: FileChanges<A>['bytes']) => {
    for (const each of found) {
      if (!('path' in each) || !bytes.has(each.path) || written.has(each.path)) continue;
      written.add(each.path);
      const before = 'file' in each ? each.file.bytes : null;
      const row = history.replacedFiles.add(rowOf(caller, each.path, before));
      rows.set(each.path, row);
      if (before !== null) savedAs.set(each.path, row);
    }
  };
  try {
    const { hashes, answer } = await files.changeAll(caller.project, paths, (found) => {
      const edited = edit(found);
      const allowed = found.flatMap((each) => {
        if (!('path' in each)) return [];
        const after = edited.bytes.get(each.path);
        const before = 'file' in each ? each.file.bytes : null;
        return after && mayWrite({ path: each.path, before, after }, caller) ? [each.path] : [];
      });
      const places = new Set(allowed);
      const bytes = new Map([...edited.bytes].filter(([real]) => places.has(real)));
      keep(found, bytes);
      return { ...edited, bytes };
    });
    for (const [real, row] of rows) history.replacedFiles.wrote(row, hashes.get(real) ?? '');
    const changed = [...hashes].map(([real, hash]): [string, ChangedFile] => [
      real,
      {
        path: shortPath(real, caller.project),
        hash,
        savedAs: savedAs.get(real) ?? null,
        written: written.has(real),
      },
    ]);
    return { answer, changed: new Map(changed) };
  } catch (error) {
    const unrestored = error instanceof PartlyWritten ? error.paths : [];
    for (const [real, row] of rows) if (!unrestored.includes(real)) history.replacedFiles.remove(row);
    throw error;
  }
}

/** Returns each file with its hash, and where its previous content is saved. */
export function changedText({ path, hash, savedAs, written }: ChangedFile): string {
  return [
    path,
    `hash ${hash}`,
    ...(written ? [savedAs === null ? 'new' : `before: history:${savedAs}`] : []),
  ].join(' · ');
}

/** @throws HarborError if the file does not exist or cannot be changed */
export function fileOf(found: FileToChange) {
  if ('file' in found) return found.file;
  throw 'missing' in found ? found.missing : found.refused;
}

/** @throws HarborError `file_exists` if it exists */
export function newFileOf(found: FileToChange, shown: string): string {
  if ('missing' in found) return found.path;
  if ('refused' in found) throw found.refused;
  throw new HarborError('file_exists', `${shown} already exists: change its forms.`, {
    mentions: [mention`(${ours('write_file', 'expected_hash')} with its hash replaces it.)`],
  });
}

// Adds the argument `session` to file tools: relative paths then refer to the project of that session.

/**
 * Returns the caller with the project of that session, which may be asleep.
 * @throws HarborError `unknown_session`
 */
export function inProjectOf(
  session: string | undefined,
  caller: Caller,
  sessions: Pick<Sessions, 'known'>,
): Caller {
  if (session === undefined) return caller;
  return { ...caller, project: sessions.known(session, caller.client).identity.project };
}

/** Returns the tool with the additional argument `session`. */
export function inSession(tool: Tool, sessions: Pick<Sessions, 'known'>): Tool {
  const takesSession = 'session' in tool.args.shape;
  const { run, preview } = tool;
  const inside =
    <T>(work: (args: Record<string, unknown>, caller: Caller) => Promise<T>) =>
    ({ session, ...args }: Record<string, unknown>, caller: Caller): Promise<T> =>
      work(
        takesSession ? { ...args, session } : args,
        inProjectOf(session as string | undefined, caller, sessions),
      );
  return {
    ...tool,
    args: tool.args.extend({ session: z.string().optional() }),
    run: inside(run),
    ...(preview && { preview: inside(preview) }),
  };
}
