/** Files as the tools have them: text behind the guard, with what was written over kept in the history. */

import type { FileCaller } from '../../contract/approvals';
import { HarborError } from '../../contract/errors';
import { thereAre } from '../../contract/names-there';
import type { History } from '../../history/history';
import type { ReplacedFile } from '../../history/replaced-files';
import { dialectOfFile } from '../../source/dialect';
import type { Edited, FileBytes, GuardedFiles } from '../../source/files';
import { jarEntries, jarFile, pathInJar } from '../../source/jar';
import { Positions } from '../../source/positions';
import { read, type Source } from '../../source/reader';
import { type Encoding, type Text, textOf } from '../../source/text-file';
import { topLevelForms } from '../../source/top-level';
import { shortPath } from '../source-places';
import type { Caller } from '../tool';

export interface FileToolOptions {
  files: GuardedFiles;
  history: History;
}

export interface TextFile extends Text {
  /** The real path. */
  path: string;
  /** Relative to the project where it is inside. */
  shown: string;
  bytes: Uint8Array;
  hash: string;
}

/** A file after a change: its real path, its hash, and what was to be told of the change. */
export interface Written<A> {
  path: string;
  hash: string;
  answer: A;
  /** The row of the history that keeps what the file held; null where nothing was written. */
  kept: number | null;
}

/** Who writes, in which project, and for which session, where that is known. */
export type Writing = Pick<Caller, 'client' | 'project'> & { session?: string };

/** The hash of what is no file that could be written. */
const READ_ONLY = '';

/** `history:12`: what a write over a file has kept. */
const KEPT = /^history:(\d+)$/;

/** Of a call that only reads: a person may be asked whether it may. */
export function fileCaller({ client, tool, signal }: Caller): FileCaller {
  return { client: client.key, tool, signal };
}

/** @param asking for whom a person may be asked; absent: nobody is
 * @throws HarborError as `GuardedFiles.read`; `not_a_file` for bytes that are no text */
export async function openText(
  path: string,
  caller: Pick<Caller, 'project'>,
  options: FileToolOptions,
  asking?: FileCaller,
): Promise<TextFile> {
  const kept = KEPT.exec(path)?.[1];
  const inside = pathInJar(path);
  if (kept !== undefined) return textFile(keptFile(Number(kept), path, caller, options.history), path);
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
    `${file.path} is binary (${file.bytes.length} bytes), not text: only source text is read here. Load what is compiled into a session.`,
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
    `There is no ${shown}. ${thereAre(
      name,
      entries.map((each) => each.name),
    )} \`find\` with path ${path} searches the jar.`,
  );
}

/** Longer texts are read as plain text only: reading forms would keep everybody else waiting. */
const LONGEST_SOURCE = 8 * 1024 * 1024;

/** The forms of a Lisp file.
 * @throws HarborError `bad_arguments` for other files and for those that are too long */
export function sourceOf({ path, shown, text }: TextFile): Source {
  const dialect = dialectOfFile(path);
  if (dialect === null)
    throw new HarborError('bad_arguments', `${shown} is no Lisp file, as its name says: it has no forms.`);
  if (text.length <= LONGEST_SOURCE) return read(text, dialect);
  throw new HarborError(
    'bad_arguments',
    `${shown} has ${text.length} characters; up to ${LONGEST_SOURCE} are read as forms. Read parts of it with offset and limit.`,
  );
}

/** @throws HarborError `file_missing` */
function keptFile(id: number, path: string, caller: Pick<Caller, 'project'>, history: History): FileBytes {
  const row = history.replacedFiles.find(id);
  if (row?.project === caller.project) return { path: row.path, bytes: row.bytes, hash: READ_ONLY };
  throw new HarborError('file_missing', `The history of this project keeps no ${path}.`);
}

/**
 * Changes a file as one step; what it held is kept in the history.
 * @throws HarborError `hash_mismatch` when it was changed from outside meanwhile, `not_supported` for what can only be
 * read, as `GuardedFiles.change`, and whatever `edit` throws
 */
export async function changeFile<A>(
  path: string,
  caller: Writing,
  { files, history }: FileToolOptions,
  edit: (file: FileBytes) => Edited<A>,
): Promise<Written<A>> {
  changeable(path);
  let kept: number | null = null;
  try {
    const written = await files.change(caller.project, path, (file) => {
      const edited = edit(file);
      if (edited.bytes !== null) kept = history.replacedFiles.add(rowOf(caller, file.path, file.bytes));
      return edited;
    });
    return { ...written, kept };
  } catch (error) {
    if (kept !== null) history.replacedFiles.remove(kept);
    throw error;
  }
}

/** The row of the history for a file that is being written. @param bytes what it held; null: nothing was there */
export function rowOf(
  { client, project, session }: Writing,
  path: string,
  bytes: Uint8Array | null,
): ReplacedFile {
  const row = { client: client.key, project, session, path, replacedAt: Date.now() };
  return bytes === null ? { ...row, bytes: new Uint8Array(), created: true } : { ...row, bytes };
}

/** @throws HarborError `not_supported` for what is no file of its own */
export function changeable(path: string): void {
  if (!KEPT.test(path) && pathInJar(path) === null) return;
  throw new HarborError(
    'not_supported',
    `${path} can only be read as it was asked for. Name the file itself.`,
  );
}

/** Where the text is that a change has replaced. */
export function keptNotes({ kept }: Pick<Written<unknown>, 'kept'>): string[] {
  return kept === null ? [] : [`\`read_file\` history:${kept} is what it held before.`];
}

/** What the caller should know of a text that is not UTF-8. */
export function encodingNotes(encoding: Encoding): string[] {
  return encoding === 'utf-8'
    ? []
    : ['The file is not UTF-8: it is read, and written, as Latin-1, a character for each byte.'];
}

/** @throws HarborError `hash_mismatch` */
export function checkHash(file: Pick<TextFile, 'hash' | 'shown'>, expected: string | undefined): void {
  if (expected === undefined || expected === file.hash) return;
  throw new HarborError(
    'hash_mismatch',
    `${file.shown} has changed since it was read: its hash is ${file.hash}, not ${expected}. Read it again.`,
  );
}

/** Another readtable may read the text in another way than is known here. */
export function readtableNotes(file: TextFile): string[] {
  if (!/in-readtable/i.test(file.text)) return [];
  const source = sourceOf(file);
  const positions = new Positions(source.text);
  return topLevelForms(source).flatMap(({ type, form, name }) => {
    const table = name?.name ?? 'one without a name';
    if (!/^in-readtable$/i.test(type) || /^(?:nil|standard)$/.test(table)) return [];
    return [
      `Line ${positions.line(form.start)} changes the readtable to ${table}; forms are found by the standard syntax, so look at the diff.`,
    ];
  });
}
