/** The tool `edit_form`: edits Lisp files by form and renames symbols across files. */

import { z } from 'zod';
import { HarborError } from '../../contract/errors';
import { TEXT_KINDS } from '../../source/rename/renaming';
import type { Tool, ToolResult } from '../tool';
import {
  EDITS,
  EditFormResult,
  EditOrder,
  type EditPlan,
  ORDER,
  type PathOrder,
  planned,
} from './form-edits';
import { renameInProject } from './rename-symbol';
import {
  type ChangedFile,
  changedText,
  changeFiles,
  type FileToolOptions,
  savedNotes,
  withPreview,
} from './text-files';

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
  also: z.array(z.enum(TEXT_KINDS)).optional().describe('Rename there too'),
  skip: z.array(z.string().max(4000)).max(500).optional().describe('Paths that rename skips'),
  dry_run: z.boolean().optional(),
});
type EditFormArguments = z.output<typeof EditFormArguments>;

/** @param first the index of the first of several equally named forms */
export function editFormTool(
  options: FileToolOptions,
  first = 1,
): Tool<typeof EditFormArguments, typeof EditFormResult> {
  return withPreview({
    name: 'edit_form',
    title: 'Edit forms in files',
    description:
      'Edits top-level forms of Lisp files by type and name; the rest keeps its bytes; unbalanced results are refused with the likely fix. edits: several, over files, all or none; create makes a file; patch without form_name: anywhere; format indents it. rename: the symbol form_name, as in path or qualified, across the project. dry_run shows the diff.',
    scope: 'evaluate',
    approval: 'write',
    args: EditFormArguments,
    result: EditFormResult,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
    async run(args, caller) {
      if (args.operation === 'rename') return renameInProject(args, caller, options);
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
  });
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
    notes: [...notes, ...savedNotes({ savedAs: file?.savedAs ?? null })],
  };
  const done = written
    ? `Written, ${linesText(diff)}`
    : diff === ''
      ? 'Nothing to change'
      : 'Not written: dry run';
  const text = [
    ...changesText(diff, written),
    `; ${[done, form, path, hash && `hash ${hash}`].filter(Boolean).join(' · ')}`,
  ];
  return { structured, text: text.join('\n'), notes: structured.notes, isError: false };
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
  ];
  return { structured, text: text.join('\n'), notes, isError: false };
}

// Text that reports edits: the whole diff for a dry run, otherwise only the changed places.

/** Lines of a diff that are in only one of the two texts. */
const CHANGED_LINES = /^(?:-(?!-- )|\+(?!\+\+ ))[^\n]*\n?/gm;
/** Maximum characters of a written change that are shown. The author of a longer text knows it. */
const SHOWN_CHANGES = 120;

/** Returns the changed lines of `diff`; none of a long change that was written. */
function changesText(diff: string, written: boolean): string[] {
  const changed = diff.match(CHANGED_LINES)?.join('').trimEnd() ?? '';
  const shown = written ? (changed.length <= SHOWN_CHANGES ? changed : '') : diff.trimEnd();
  return shown === '' ? [] : [shown];
}

/** Returns `lines -1 +2 at 14` for a diff with at most three lines of context. */
function linesText(diff: string): string {
  const count = (sign: RegExp) => diff.match(sign)?.length ?? 0;
  const first = /^@@ -\d+(?:,\d+)? \+(\d+)[^\n]*\n((?: [^\n]*\n)*)/m.exec(diff);
  const at = Number(first?.[1] ?? 1) + (first?.[2]?.split('\n').length ?? 1) - 1;
  return `lines -${count(/^-(?!--)/gm)} +${count(/^\+(?!\+\+)/gm)} at ${at}`;
}
