/** The tool `edit_form`: edits Lisp files form by form, and renames symbols over them. */
import { z } from 'zod';
import { HarborError } from '../../contract/errors';
import { ALSO } from '../../source/rename/renaming';
import type { Tool, ToolResult } from '../tool';
import { type ChangedFile, changedText, changeFiles } from './changed-files';
import { EDITS, EditOrder, ORDER } from './edit-order';
import { changesText, linesText } from './edit-text';
import { type EditPlan, type PathOrder, planned } from './form-edits';
import { renameSymbol } from './rename-symbol';
import { type FileToolOptions, keptNotes } from './text-files';

const { form_type: formType, form_name: formName, ...OTHERS } = ORDER;

const EditFormArguments = z.strictObject({
  operation: z.enum([...EDITS, 'rename']).optional(),
  form_type: formType.describe('Its operator: defun, defmethod, ns'),
  form_name: formName.describe(
    'area, (setf area); a method: area :around (circle t); area[2]: the second of several',
  ),
  ...OTHERS,
  edits: z.array(EditOrder).max(500).optional(),
  new_name: z.string().min(1).max(1000).optional(),
  also: z.array(z.enum(ALSO)).optional().describe('rename there too'),
  skip: z.array(z.string().max(4000)).max(500).optional().describe('paths rename leaves out'),
  dry_run: z.boolean().optional(),
});
export type EditFormArguments = z.output<typeof EditFormArguments>;

const FileResult = z.object({ path: z.string(), hash: z.string() });

const EditFormResult = z.object({
  path: z.string().optional(),
  form: z.string().optional(),
  diff: z.string().optional(),
  hash: z.string().optional().describe('Of the file as it is now'),
  /** Of several edits. */
  edits: z.array(z.object({ path: z.string(), form: z.string(), diff: z.string() })).optional(),
  /** Of several edits, and of a renaming. */
  files: z
    .array(FileResult.extend({ count: z.int().optional(), lines: z.array(z.int()).optional() }))
    .optional(),
  /** Of a renaming: what looks alike and was left. */
  left: z.array(z.object({ kind: z.string(), path: z.string(), lines: z.array(z.int()) })).optional(),
  written: z.boolean(),
  notes: z.array(z.string()),
});
export type EditFormResult = z.infer<typeof EditFormResult>;

/** @param first which number the first of several forms has, behind their name */
export function editFormTool(
  options: FileToolOptions,
  first = 1,
): Tool<typeof EditFormArguments, typeof EditFormResult> {
  return {
    name: 'edit_form',
    title: 'Edit forms in files',
    description:
      'Edits top-level forms of Lisp files by type and name. All else keeps its bytes; what would not balance is refused with the likely fix. edits: several, over files, all or none; create makes a file; patch without form_name looks in the whole file; format indents it. rename: the symbol form_name, as in path or qualified, over the project. dry_run shows the diff.',
    scope: 'evaluate',
    approval: 'write',
    args: EditFormArguments,
    result: EditFormResult,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
    async run(args, caller) {
      if (args.operation === 'rename') return renameSymbol(args, caller, options);
      const orders = ordersOf(args, args.operation).map((order) => ({ ...order, first }));
      const { answer, changed } = await changeFiles(
        orders.map(({ path }) => path),
        caller,
        options,
        (found) => {
          const plan = planned(orders, found, caller.project);
          return args.dry_run ? { ...plan, bytes: new Map() } : plan;
        },
      );
      const files = [...changed.values()];
      return args.edits === undefined ? oneEdit(answer, files) : severalEdits(answer, files);
    },
  };
}

/** @throws HarborError `bad_arguments` */
function ordersOf(args: EditFormArguments, operation: EditOrder['operation'] | undefined): PathOrder[] {
  const {
    edits,
    operation: _operation,
    new_name: _new,
    also: _also,
    skip: _skip,
    dry_run: _dry,
    ...own
  } = args;
  const orders: readonly EditOrder[] = operation ? [{ ...own, operation }] : (edits ?? []);
  if (orders.length === 0 || (operation && edits))
    throw new HarborError('bad_arguments', 'Give either operation, or edits with an operation each.');
  return orders.map((order, index) => {
    const path = order.path ?? args.path;
    if (path !== undefined) return { ...order, path };
    throw new HarborError('bad_arguments', `${edits ? `edits[${index}]` : order.operation} needs path.`);
  });
}

function oneEdit({ edits: [edit], notes }: EditPlan, [file]: ChangedFile[]): ToolResult<EditFormResult> {
  if (!edit) throw new Error('no edit was planned');
  const { path, form, diff } = edit;
  const [hash, written] = [file?.hash ?? '', file?.written === true];
  const structured = {
    ...{ path, form, diff, hash, written },
    notes: [...notes, ...keptNotes({ kept: file?.kept ?? null })],
  };
  const done = written
    ? `Written, ${linesText(diff)}`
    : diff === ''
      ? 'Nothing to change'
      : 'Not written: dry run';
  const text = [
    ...changesText(diff, written),
    `; ${[done, form, path, hash && `hash ${hash}`].filter(Boolean).join(' · ')}`,
    ...structured.notes.map((note) => `; note: ${note}`),
  ];
  return { structured, text: text.join('\n'), isError: false };
}

function severalEdits({ edits, notes }: EditPlan, files: ChangedFile[]): ToolResult<EditFormResult> {
  const written = files.some((file) => file.written);
  const structured = { edits, files: files.map(({ path, hash }) => ({ path, hash })), written, notes };
  const text = [
    ...edits.flatMap(({ path, form, diff }, index) => [
      `${index + 1}. ${form} · ${path} · ${linesText(diff)}`,
      ...changesText(diff, written),
    ]),
    written ? '; Written' : '; Not written: dry run',
    ...files.map((file) => `; ${changedText(file)}`),
    ...notes.map((note) => `; note: ${note}`),
  ];
  return { structured, text: text.join('\n'), isError: false };
}
