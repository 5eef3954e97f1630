/** The tool `edit_form`: edits Lisp files form by form. */
import { z } from 'zod';
import { HarborError } from '../../contract/errors';
import { differenceText, type Edit, edited } from '../../source/edit';
import { Positions } from '../../source/positions';
import type { Source } from '../../source/reader';
import { bytesOf } from '../../source/text-file';
import { topLevelForms } from '../../source/top-level';
import { shortPath } from '../source-places';
import type { Tool } from '../tool';
import {
  changeFile,
  checkHash,
  encodingNotes,
  type FileToolOptions,
  keptNotes,
  openText,
  sourceOf,
  type TextFile,
  textFile,
  type Written,
} from './text-files';

const OPERATIONS = ['replace', 'insert_before', 'insert_after', 'delete', 'patch'] as const;

const EditFormArguments = z.strictObject({
  path: z.string().min(1).max(4000),
  operation: z.enum(OPERATIONS),
  form_type: z.string().min(1).max(200).describe('Its operator: defun, defmethod, ns'),
  form_name: z
    .string()
    .min(1)
    .max(1000)
    .describe('area, (setf area); a method: area :around (circle t); area[2]: the second of several'),
  content: z.string().max(1_000_000).optional(),
  old_text: z.string().max(1_000_000).optional().describe('patch: occurs once in the form'),
  new_text: z.string().max(1_000_000).optional(),
  index: z.int().min(1).optional().describe('As [2] in form_name'),
  expected_hash: z.string().optional(),
  dry_run: z.boolean().optional(),
});
type EditFormArguments = z.output<typeof EditFormArguments>;

const EditFormResult = z.object({
  path: z.string(),
  form: z.string(),
  diff: z.string(),
  hash: z.string().describe('Of the file as it is now'),
  written: z.boolean(),
  notes: z.array(z.string()),
});

export function editFormTool(
  options: FileToolOptions,
): Tool<typeof EditFormArguments, typeof EditFormResult> {
  return {
    name: 'edit_form',
    title: 'Edit a form in a file',
    description:
      'Edits one top-level form of a Lisp file, found by type and name: replaces or deletes it, puts forms before or after it, or patches text inside. All else keeps its bytes. What would leave the file unbalanced is refused with the likely fix. Answers a diff; dry_run only that.',
    scope: 'evaluate',
    approval: 'write',
    args: EditFormArguments,
    result: EditFormResult,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
    async run(args, caller) {
      if (args.dry_run) {
        const file = await openText(args.path, caller, options);
        return answer(planned(file, args), { hash: file.hash, kept: null });
      }
      const written = await changeFile(args.path, caller, options, (bytes) => {
        const plan = planned(textFile(bytes, shortPath(bytes.path, caller.project)), args);
        const { file, text } = plan;
        return { bytes: text === file.text ? null : bytesOf({ ...file, text }), answer: plan };
      });
      return answer(written.answer, written);
    },
  };
}

/** What an edit makes of a file. */
interface Plan {
  file: TextFile;
  source: Source;
  text: string;
  /** The form that was found. */
  form: string;
}

/** @throws HarborError `hash_mismatch`, and as `edited` */
function planned(file: TextFile, args: EditFormArguments): Plan {
  checkHash(file, args.expected_hash);
  const source = sourceOf(file);
  return { file, source, ...edited(source, editOf(args)) };
}

function answer({ file, source, text, form }: Plan, after: Pick<Written<Plan>, 'hash' | 'kept'>) {
  const diff = differenceText(file.shown, file.text, text) ?? 'Too much has changed to show.';
  const structured = {
    path: file.shown,
    form,
    diff,
    hash: after.hash,
    written: after.kept !== null,
    notes: [...encodingNotes(file.encoding), ...readtableNotes(source), ...keptNotes(after)],
  };
  return { structured, text: editText(structured), isError: false };
}

/** @throws HarborError `bad_arguments` for an operation without what it needs */
function editOf(args: EditFormArguments): Edit {
  const { operation, content, old_text: oldText, new_text: newText, index } = args;
  const query = { type: args.form_type, name: `${args.form_name}${index === undefined ? '' : `[${index}]`}` };
  switch (operation) {
    case 'delete':
      return { ...query, operation };
    case 'patch':
      if (oldText === undefined || newText === undefined) throw lacking('old_text and new_text', operation);
      return { ...query, operation, oldText, newText };
    default:
      if (content === undefined) throw lacking('content', operation);
      return { ...query, operation, content };
  }
}

function lacking(what: string, operation: string): HarborError {
  return new HarborError('bad_arguments', `${operation} needs ${what}.`);
}

/** Another readtable may read the text in another way than is known here. */
function readtableNotes(source: Source): string[] {
  const positions = new Positions(source.text);
  return topLevelForms(source).flatMap(({ type, form, name }) => {
    const table = name?.name ?? 'one without a name';
    if (!/^in-readtable$/i.test(type) || /^(?:nil|standard)$/.test(table)) return [];
    return [
      `Line ${positions.line(form.start)} changes the readtable to ${table}; forms are found by the standard syntax, so look at the diff.`,
    ];
  });
}

/** Lines of a diff that are in one of the two texts only. */
const CHANGED_LINES = /^(?:-(?!-- )|\+(?!\+\+ )).*\n?/gm;
/** Characters of them that are shown of a change which is made: whoever wrote a longer text knows it. */
const SHOWN_CHANGES = 120;

/** The whole diff is for those who ask before it is written. */
function editText({ path, form, diff, hash, written, notes }: z.infer<typeof EditFormResult>): string {
  const done = written
    ? `Written, ${linesText(diff)}`
    : diff === ''
      ? 'Nothing to change'
      : 'Not written: dry run';
  const changed = diff.match(CHANGED_LINES)?.join('').trimEnd() ?? '';
  const shown = written ? (changed.length <= SHOWN_CHANGES ? changed : '') : diff.trimEnd();
  return [
    ...(shown === '' ? [] : [shown]),
    `; ${done} · ${form} · ${path} · hash ${hash}`,
    ...notes.map((note) => `; note: ${note}`),
  ].join('\n');
}

/** `lines -1 +2 at 14`, of a diff with three lines of context at most. */
function linesText(diff: string): string {
  const count = (sign: RegExp) => diff.match(sign)?.length ?? 0;
  const first = /^@@ -\d+(?:,\d+)? \+(\d+)[^\n]*\n((?: [^\n]*\n)*)/m.exec(diff);
  const at = Number(first?.[1] ?? 1) + (first?.[2]?.split('\n').length ?? 1) - 1;
  return `lines -${count(/^-(?!--)/gm)} +${count(/^\+(?!\+\+)/gm)} at ${at}`;
}
