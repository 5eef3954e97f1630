/**
 * A list of edits over files. Each is checked in order, on the result of the ones before it, before any is
 * written.
 */

import { z } from 'zod';
import { HarborError } from '../../contract/errors';
import { distinctNotes, type Note, NoteText } from '../../contract/note';
import { diagnosisOf, diagnosisText } from '../../source/diagnosis';
import { dialectOfFile } from '../../source/dialect';
import { applyEdit, type Edit, type EditResult, patchText, unifiedDiff } from '../../source/edit';
import type { FileChanges, FileToChange } from '../../source/files';
import { formatSource } from '../../source/format/format';
import { read } from '../../source/reader';
import { bytesOf } from '../../source/text';
import { shortPath } from '../source-places';
import {
  checkHash,
  encodingNotes,
  fileOf,
  newFileOf,
  readtableNotes,
  sourceOf,
  type TextFile,
  textFile,
} from './text-files';

const FileResult = z.object({ path: z.string(), hash: z.string() });

export const EditFormResult = z.object({
  path: z.string().optional(),
  form: z.string().optional(),
  diff: z.string().optional(),
  hash: z.string().optional().describe('Of the current file'),
  /** Present for several edits. */
  edits: z.array(z.object({ path: z.string(), form: z.string(), diff: z.string() })).optional(),
  /** Present for several edits and for a rename. */
  files: z
    .array(FileResult.extend({ count: z.int().optional(), lines: z.array(z.int()).optional() }))
    .optional(),
  /** Present for a rename: similar occurrences that were not renamed. */
  left: z.array(z.object({ kind: z.string(), path: z.string(), lines: z.array(z.int()) })).optional(),
  written: z.boolean(),
  notes: z.array(NoteText),
});
export type EditFormResult = z.input<typeof EditFormResult>;

export type PathOrder = EditOrder & { path: string };

interface PlannedEdit {
  path: string;
  form: string;
  diff: string;
}

export interface EditPlan {
  edits: PlannedEdit[];
  notes: Note[];
}

/** A file after the preceding edits. */
interface CurrentText {
  /** The file with its new text. */
  file: TextFile;
  bytes: Uint8Array;
  isNew: boolean;
  /** The first edit of the file that failed, counted from 1. */
  failed: number | null;
}

/**
 * @param found the file of each order
 * @throws HarborError naming every failed edit, with a likely fix
 */
export function planned(
  orders: readonly PathOrder[],
  found: readonly FileToChange[],
  project: string,
): FileChanges<EditPlan> {
  const current = new Map<string, CurrentText>();
  const edits: PlannedEdit[] = [];
  const failures: { place: number; error: HarborError }[] = [];
  for (const [index, order] of orders.entries()) {
    const place = index + 1;
    const file = found[index] as FileToChange;
    try {
      edits.push(plannedOne(order, file, project, current));
    } catch (error) {
      if (!(error instanceof HarborError)) throw error;
      failures.push({ place, error: afterFailure(error, file, current) });
      const state = 'path' in file ? current.get(file.path) : undefined;
      if (state) state.failed ??= place;
    }
  }
  if (failures.length > 0) throw refusal(failures, orders);
  const files = [...current.values()];
  const bytes = new Map(files.map((each) => [each.file.path, each.bytes]));
  const notes = files.flatMap(({ file }) => [...encodingNotes(file.encoding), ...readtableNotes(file)]);
  for (const [real, { file, isNew, bytes: written }] of current)
    if (!isNew && Buffer.compare(written, file.bytes) === 0) bytes.delete(real);
  return { bytes, answer: { edits, notes: distinctNotes(notes) } };
}

/** @throws HarborError */
function plannedOne(
  order: PathOrder,
  found: FileToChange,
  project: string,
  current: Map<string, CurrentText>,
): PlannedEdit {
  const state = currentOf(order, found, project, current);
  const { file } = state;
  const { text, form } = ordered(file, order);
  const bytes = bytesOf({ ...file, text });
  const diff = unifiedDiff(file.shown, file.text, text) ?? 'The change is too large to show.';
  current.set(file.path, { ...state, file: { ...file, text }, bytes });
  return { path: file.shown, form, diff };
}

function currentOf(
  order: PathOrder,
  found: FileToChange,
  project: string,
  current: Map<string, CurrentText>,
): CurrentText {
  const before = 'path' in found ? current.get(found.path) : undefined;
  const isNew = order.operation === 'create';
  if (before && !isNew) return before;
  if (before) throw new HarborError('file_exists', `${order.path} is created or changed by an earlier edit.`);
  const path = isNew ? newFileOf(found, order.path) : fileOf(found).path;
  const shown = shortPath(path, project);
  const file: TextFile =
    'file' in found
      ? textFile(found.file, shown)
      : { path, shown, text: '', encoding: 'utf-8', bytes: new Uint8Array(), hash: '' };
  checkHash(file, isNew ? undefined : order.expected_hash);
  const state = { file, bytes: file.bytes, isNew, failed: null };
  // Set also if the edit then fails, so that later edits of the file report it.
  if (!isNew) current.set(path, state);
  return state;
}

/** An edit that follows a failure in the same file may itself be correct. */
function afterFailure(
  error: HarborError,
  found: FileToChange,
  current: ReadonlyMap<string, CurrentText>,
): HarborError {
  const failed = 'path' in found ? current.get(found.path)?.failed : null;
  if (!failed) return error;
  return error.with({ text: `${error.text} (Checked on the file without edit ${failed}.)` });
}

function refusal(
  failures: readonly { place: number; error: HarborError }[],
  orders: readonly PathOrder[],
): HarborError {
  const [first, ...others] = failures.map(({ error }) => error);
  if (first === undefined || orders.length === 1) return first as HarborError;
  const code = others.every((each) => each.code === first.code) ? first.code : 'bad_arguments';
  const lines = failures.map(({ place, error }) => {
    const { path, operation, form_type: type, form_name: name } = orders[place - 1] as PathOrder;
    return `${place}. ${[path, operation, type, name].filter(Boolean).join(' ')}: ${error.message}`;
  });
  const head = `Nothing was written: ${failures.length} of ${orders.length} edits failed.`;
  return new HarborError(code, [head, ...lines].join('\n'));
}

/** One edit as the caller gives it, and its effect on a text. */
export const EDITS = [
  'replace',
  'insert_before',
  'insert_after',
  'delete',
  'patch',
  'create',
  'format',
] as const;

/** Members of an edit. Each operation checks which of them it needs. */
export const ORDER = {
  path: z.string().min(1).max(4000).optional(),
  form_type: z.string().min(1).max(200).optional(),
  form_name: z.string().min(1).max(1000).optional(),
  content: z.string().max(1_000_000).optional(),
  old_text: z.string().max(1_000_000).optional(),
  new_text: z.string().max(1_000_000).optional(),
  index: z.int().positive().optional(),
  expected_hash: z.string().optional(),
};

const { index: _inName, ...LISTED } = ORDER;

/** One of several edits. Its schema omits descriptions, which are given once for the single edit. */
export const EditOrder = z.strictObject({ operation: z.string().pipe(z.enum(EDITS)), ...LISTED });
export type EditOrder = z.output<typeof EditOrder> & {
  index?: number | undefined;
  /** Index of the first of several equally named forms; absent: 1. */
  first?: number | undefined;
};

/**
 * Returns the text of `file` after the edit, and the form it concerns.
 * @throws HarborError `bad_arguments`, with a likely fix for an unbalanced result
 */
function ordered(file: TextFile, order: EditOrder): EditResult {
  const { operation, form_name: name } = order;
  if (operation === 'create') return { text: contentOf(order, file.path), form: 'new file' };
  if (operation === 'format') return { text: formattedText(file), form: 'format' };
  if (operation === 'patch' && name === undefined) {
    const { oldText, newText } = patchOf(order);
    return {
      text: patchText(file.text, oldText, newText, dialectOfFile(file.path)),
      form: 'text',
    };
  }
  return applyEdit(sourceOf(file), editOf(order));
}

/** @throws HarborError `bad_arguments` if the file is not Lisp or its delimiters do not match */
function formattedText(file: TextFile): string {
  const source = sourceOf(file);
  const diagnosis = diagnosisOf(source);
  if (diagnosis === null) return formatSource(file.text, source.dialect);
  throw new HarborError('bad_arguments', `Nothing was formatted: ${diagnosisText(diagnosis)}`);
}

/** @throws HarborError `bad_arguments` */
function contentOf(order: EditOrder, path: string): string {
  const content = order.content;
  if (content === undefined) throw lacking('content', order);
  const dialect = dialectOfFile(path);
  const diagnosis = dialect && diagnosisOf(read(content, dialect));
  if (!diagnosis) return content;
  throw new HarborError('bad_arguments', `content is incomplete: ${diagnosisText(diagnosis)}`);
}

function editOf(order: EditOrder): Edit {
  const { operation, form_type: type, form_name: name, content, index, first } = order;
  if (name === undefined) throw lacking('form_name', order);
  const query = {
    ...(type === undefined ? {} : { type }),
    ...(first === undefined ? {} : { first }),
    name: `${name}${index === undefined ? '' : `[${index}]`}`,
  };
  switch (operation) {
    case 'delete':
      return { ...query, operation };
    case 'patch':
      return { ...query, operation, ...patchOf(order) };
    case 'create':
    case 'format':
      throw new Error(`${operation} is not an edit of forms`);
    default:
      if (content === undefined) throw lacking('content', order);
      return { ...query, operation, content };
  }
}

function patchOf(order: EditOrder): { oldText: string; newText: string } {
  const { old_text: oldText, new_text: newText } = order;
  if (oldText === undefined || newText === undefined) throw lacking('old_text and new_text', order);
  return { oldText, newText };
}

function lacking(what: string, { operation }: Pick<EditOrder, 'operation'>): HarborError {
  return new HarborError('bad_arguments', `${operation} needs ${what}.`);
}
