/** One edit as a caller orders it, and what it makes of a text. */
import { z } from 'zod';
import { HarborError } from '../../contract/errors';
import { diagnosisOf, diagnosisText } from '../../source/diagnosis';
import { dialectOfFile } from '../../source/dialect';
import { type Edit, type Edited, edited, patchedText } from '../../source/edit';
import { formatted } from '../../source/format/formatted';
import { read } from '../../source/reader';
import { sourceOf, type TextFile } from './text-files';

export const EDITS = [
  'replace',
  'insert_before',
  'insert_after',
  'delete',
  'patch',
  'create',
  'format',
] as const;

/** Members of an edit; which of them an operation needs it says itself. */
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

/** One of several: its schema says nothing that the one beside it says. */
export const EditOrder = z.strictObject({ operation: z.string().pipe(z.enum(EDITS)), ...LISTED });
export type EditOrder = z.output<typeof EditOrder> & {
  index?: number | undefined;
  /** Which number the first of several forms has, behind their name; absent: 1. */
  first?: number | undefined;
};

/**
 * The text of `file` with the edit in it, and what it was about.
 * @throws HarborError `bad_arguments`, with the likely fix of what would not balance
 */
export function ordered(file: TextFile, order: EditOrder): Edited {
  const { operation, form_name: name } = order;
  if (operation === 'create') return { text: contentOf(order, file.path), form: 'new file' };
  if (operation === 'format') return { text: formattedText(file), form: 'format' };
  if (operation === 'patch' && name === undefined) {
    const { oldText, newText } = patchOf(order);
    return {
      text: patchedText(file.text, oldText, newText, dialectOfFile(file.path)),
      form: 'text',
    };
  }
  return edited(sourceOf(file), editOf(order));
}

/** @throws HarborError `bad_arguments` for what is no Lisp, or whose delimiters do not match */
function formattedText(file: TextFile): string {
  const source = sourceOf(file);
  const diagnosis = diagnosisOf(source);
  if (diagnosis === null) return formatted(file.text, source.dialect);
  throw new HarborError('bad_arguments', `Nothing is formatted: ${diagnosisText(diagnosis)}`);
}

/** @throws HarborError `bad_arguments` */
function contentOf(order: EditOrder, path: string): string {
  const content = order.content;
  if (content === undefined) throw lacking('content', order);
  const dialect = dialectOfFile(path);
  const diagnosis = dialect && diagnosisOf(read(content, dialect));
  if (!diagnosis) return content;
  throw new HarborError('bad_arguments', `content is not whole: ${diagnosisText(diagnosis)}`);
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
      throw new Error(`${operation} is no edit of forms`);
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
