/** A list of edits over files: each is checked, in its order and on what those before it have made, before any is written. */
import { HarborError } from '../../contract/errors';
import { differenceText } from '../../source/edit';
import type { EditedAll, FileToChange } from '../../source/files';
import { bytesOf } from '../../source/text-file';
import { shortPath } from '../source-places';
import { fileOf, newFileOf } from './changed-files';
import { type EditOrder, ordered } from './edit-order';
import { checkHash, encodingNotes, readtableNotes, type TextFile, textFile } from './text-files';

export type PathOrder = EditOrder & { path: string };

export interface PlannedEdit {
  path: string;
  form: string;
  diff: string;
}

export interface EditPlan {
  edits: PlannedEdit[];
  notes: string[];
}

/** A file as the edits before have left it. */
interface Standing {
  /** With its new text. */
  file: TextFile;
  bytes: Uint8Array;
  isNew: boolean;
  /** The first edit of it that cannot be made, counted from 1. */
  failed: number | null;
}

/**
 * @param found the file of each order
 * @throws HarborError naming every edit that cannot be made, with what would mend it
 */
export function planned(
  orders: readonly PathOrder[],
  found: readonly FileToChange[],
  project: string,
): EditedAll<EditPlan> {
  const standing = new Map<string, Standing>();
  const edits: PlannedEdit[] = [];
  const failures: { place: number; error: HarborError }[] = [];
  for (const [index, order] of orders.entries()) {
    const place = index + 1;
    const file = found[index] as FileToChange;
    try {
      edits.push(plannedOne(order, file, project, standing));
    } catch (error) {
      if (!(error instanceof HarborError)) throw error;
      failures.push({ place, error: afterFailure(error, file, standing) });
      const state = 'path' in file ? standing.get(file.path) : undefined;
      if (state) state.failed ??= place;
    }
  }
  if (failures.length > 0) throw refusal(failures, orders);
  const files = [...standing.values()];
  const bytes = new Map(files.map((each) => [each.file.path, each.bytes]));
  const notes = files.flatMap(({ file }) => [...encodingNotes(file.encoding), ...readtableNotes(file)]);
  for (const [real, { file, isNew, bytes: written }] of standing)
    if (!isNew && Buffer.compare(written, file.bytes) === 0) bytes.delete(real);
  return { bytes, answer: { edits, notes: [...new Set(notes)] } };
}

/** @throws HarborError */
function plannedOne(
  order: PathOrder,
  found: FileToChange,
  project: string,
  standing: Map<string, Standing>,
): PlannedEdit {
  const state = standingOf(order, found, project, standing);
  const { file } = state;
  const { text, form } = ordered(file, order);
  const bytes = bytesOf({ ...file, text });
  const diff = differenceText(file.shown, file.text, text) ?? 'Too much has changed to show.';
  standing.set(file.path, { ...state, file: { ...file, text }, bytes });
  return { path: file.shown, form, diff };
}

function standingOf(
  order: PathOrder,
  found: FileToChange,
  project: string,
  standing: Map<string, Standing>,
): Standing {
  const before = 'path' in found ? standing.get(found.path) : undefined;
  const isNew = order.operation === 'create';
  if (before && !isNew) return before;
  if (before) throw new HarborError('file_exists', `${order.path} is made or changed by an edit before.`);
  const path = isNew ? newFileOf(found, order.path) : fileOf(found).path;
  const shown = shortPath(path, project);
  const file: TextFile =
    'file' in found
      ? textFile(found.file, shown)
      : { path, shown, text: '', encoding: 'utf-8', bytes: new Uint8Array(), hash: '' };
  checkHash(file, isNew ? undefined : order.expected_hash);
  const state = { file, bytes: file.bytes, isNew, failed: null };
  // Also where the edit then fails: those after it are told so.
  if (!isNew) standing.set(path, state);
  return state;
}

/** What fails behind another failure may be right on its own. */
function afterFailure(
  error: HarborError,
  found: FileToChange,
  standing: ReadonlyMap<string, Standing>,
): HarborError {
  const failed = 'path' in found ? standing.get(found.path)?.failed : null;
  if (!failed) return error;
  return error.saying(`${error.message} (On the file without edit ${failed}.)`, error.notes);
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
  const head = `Nothing was written: ${failures.length} of ${orders.length} edits cannot be made.`;
  return new HarborError(code, [head, ...lines].join('\n'));
}
