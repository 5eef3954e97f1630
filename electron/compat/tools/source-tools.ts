/**
 * Tools for Lisp source: `check_balance`, `form_at`, `mend_delimiters` and `replace_expression`. Profiles
 * offer them under their own names.
 */

import { z } from 'zod';
import { HarborError } from '../../contract/errors';
import { NoteText, note } from '../../contract/note';
import { applyLikelyFix, diagnosisOf, diagnosisText } from '../../source/diagnosis';
import { dialectOfFile } from '../../source/dialect';
import { replaceExpressions, unifiedDiff } from '../../source/edit';
import { read, type Source } from '../../source/reader';
import { isForm, type SyntaxNode, walk } from '../../source/syntax-tree';
import { bytesOf, Positions, slice } from '../../source/text';

import {
  changeFile,
  encodingNotes,
  type FileToolOptions,
  fileCaller,
  openText,
  savedNotes,
  sourceOf,
  textFile,
  withPreview,
} from '../../tools/files/text-files';
import { shortPath } from '../../tools/source-places';
import type { Caller, Tool } from '../../tools/tool';

/** Maximum characters checked at once. */
const MAX_CHARACTERS = 2_097_152;

const CheckArguments = z.strictObject({
  path: z.string().min(1).max(4000).optional().describe('A Lisp file'),
  code: z.string().optional().describe('Or text of Common Lisp'),
  offset: z.int().min(0).optional().describe('For a file, in characters; lines are counted from there'),
  limit: z.int().min(0).optional(),
});
type CheckArguments = z.output<typeof CheckArguments>;

const CheckResult = z.object({
  ok: z.boolean(),
  line: z.int().optional(),
  column: z.int().optional(),
  message: z.string().optional(),
  fix: z.string().optional(),
  notes: z.array(NoteText),
});

export type BalanceCheck = z.output<typeof CheckResult>;

export function checkBalanceTool(options: FileToolOptions): Tool<typeof CheckArguments, typeof CheckResult> {
  return {
    name: 'check_balance',
    title: 'Check delimiters',
    description:
      'Checks whether the delimiters of a Lisp file or text match; if not, reports where, and the likely fix.',
    scope: 'read',
    args: CheckArguments,
    result: CheckResult,
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    async run(args, caller) {
      const { text, dialect } = await textOf(args, caller, options);
      if (text.length > MAX_CHARACTERS)
        throw new HarborError(
          'bad_arguments',
          `The text has ${text.length} characters; at most ${MAX_CHARACTERS} (2 MiB) are checked.`,
        );
      const diagnosis = diagnosisOf(read(text, dialect));
      const structured = { ok: diagnosis === null, ...diagnosis, notes: [] };
      return { structured, text: diagnosis === null ? 'ok' : diagnosisText(diagnosis), isError: false };
    },
  };
}

/** @throws HarborError `bad_arguments`, and as `openText` */
async function textOf(
  { path, code, offset = 0, limit = Number.MAX_SAFE_INTEGER }: CheckArguments,
  caller: Caller,
  options: FileToolOptions,
) {
  if ((path === undefined) === (code === undefined))
    throw new HarborError('bad_arguments', 'Give either path or code.');
  if (path === undefined) return { text: code ?? '', dialect: 'common-lisp' as const };
  const file = await openText(path, caller, options, fileCaller(caller));
  return {
    text: slice(file.text, offset, limit).text,
    dialect: dialectOfFile(file.path) ?? ('common-lisp' as const),
  };
}

const FormAtArguments = z.strictObject({
  path: z.string().min(1).max(4000),
  line: z.int().min(1),
  column: z.int().min(1).optional(),
});

const FormAtResult = z.object({
  path: z.string(),
  forms: z
    .array(z.object({ text: z.string(), line: z.int(), column: z.int(), end_line: z.int() }))
    .describe('The innermost first; the last one is at top level'),
  notes: z.array(NoteText),
});

/** Maximum characters of a form's text. */
const MAX_FORM_LENGTH = 2000;

export function formAtTool(options: FileToolOptions): Tool<typeof FormAtArguments, typeof FormAtResult> {
  return {
    name: 'form_at',
    title: 'Forms at a place',
    description: 'The forms around a line and column of a Lisp file, the innermost first.',
    scope: 'read',
    args: FormAtArguments,
    result: FormAtResult,
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    async run({ path, line, column = 1 }, caller) {
      const file = await openText(path, caller, options, fileCaller(caller));
      const source = sourceOf(file);
      const positions = new Positions(source.text);
      if (line > positions.lineCount)
        throw new HarborError('bad_arguments', `${file.shown} has ${positions.lineCount} lines.`);
      const forms = formsAround(source, positions.startOf(line) + column - 1).map(({ start, end }) => ({
        text: source.text.slice(start, end).slice(0, MAX_FORM_LENGTH),
        ...positions.of(start),
        end_line: positions.line(end),
      }));
      const structured = { path: file.shown, forms, notes: [] };
      const lines = forms.map((form) => `${file.shown}:${form.line}:${form.column}\n${form.text}`);
      return { structured, text: lines.join('\n') || 'No form is there.', isError: false };
    },
  };
}

function formsAround({ tree }: Source, offset: number): SyntaxNode[] {
  const around: SyntaxNode[] = [];
  for (const { node } of walk(tree)) {
    if (node.start > offset) break;
    if (offset < node.end && isForm(node)) around.unshift(node);
  }
  return around;
}

const MendArguments = z.strictObject({ path: z.string().min(1).max(4000) });

const MendResult = z.object({
  path: z.string(),
  hash: z.string(),
  fix: z.string().optional().describe('The changes'),
  notes: z.array(NoteText),
});

export function mendDelimitersTool(options: FileToolOptions): Tool<typeof MendArguments, typeof MendResult> {
  return withPreview({
    name: 'mend_delimiters',
    title: 'Mend delimiters',
    description:
      'Adds or removes the delimiters of a Lisp file that are missing or too many by its indentation.',
    scope: 'evaluate',
    approval: 'write',
    args: MendArguments,
    result: MendResult,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    async run({ path }, caller) {
      const written = await changeFile(path, caller, options, (bytes) => {
        const file = textFile(bytes, shortPath(bytes.path, caller.project));
        const source = sourceOf(file);
        const diagnosis = diagnosisOf(source);
        if (diagnosis === null) return { bytes: null, answer: null };
        const fixed = applyLikelyFix(source, new Positions(file.text));
        if (fixed === null)
          throw new HarborError(
            'bad_arguments',
            `No simple change fixes ${file.shown}. ${diagnosisText(diagnosis)}`,
          );
        const { text, description: repairs } = fixed;
        return { bytes: bytesOf({ ...file, text }), answer: `${diagnosis.message} Fixed: ${repairs}` };
      });
      const shown = shortPath(written.path, caller.project);
      const structured = {
        ...{ path: shown, hash: written.hash, notes: savedNotes(written) },
        ...(written.answer === null ? {} : { fix: written.answer }),
      };
      const text = written.answer ?? `The delimiters of ${shown} match.`;
      return { structured, text, notes: structured.notes, isError: false };
    },
  });
}

/** Maximum characters of a shown diff. */
const SHOWN = 2_000;

const ReplaceArguments = z.strictObject({
  path: z.string().min(1).max(4000),
  expression: z.string().min(1).max(1_000_000),
  replacement: z.string().max(1_000_000),
  all: z.boolean().optional(),
});

const ReplaceResult = z.object({
  path: z.string(),
  hash: z.string(),
  diff: z.string(),
  replaced: z.array(z.int()).describe('Lines'),
  notes: z.array(NoteText),
});

export function replaceExpressionTool(
  options: FileToolOptions,
): Tool<typeof ReplaceArguments, typeof ReplaceResult> {
  return withPreview({
    name: 'replace_expression',
    title: 'Replace expressions',
    description: 'Replaces an expression of a Clojure file, whatever its layout.',
    scope: 'evaluate',
    approval: 'write',
    args: ReplaceArguments,
    result: ReplaceResult,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
    async run({ path, expression, replacement, all = false }, caller) {
      const written = await changeFile(path, caller, options, (bytes) => {
        const file = textFile(bytes, shortPath(bytes.path, caller.project));
        if (dialectOfFile(file.path) !== 'clojure')
          throw new HarborError('bad_arguments', `${file.shown} is not a Clojure file by its name.`);
        const done = replaceExpressions(file.text, expression, replacement, all);
        const changed = done.text === file.text ? null : bytesOf({ ...file, text: done.text });
        return { bytes: changed, answer: { file, ...done } };
      });
      const { file, text, replaced, left: remaining } = written.answer;
      const diff = unifiedDiff(file.shown, file.text, text) ?? 'The change is too large to show.';
      const others =
        remaining.length === 0
          ? []
          : [note('other_places', `It is also at line ${remaining.join(', ')}, unchanged.`)];
      const notes = [...others, ...encodingNotes(file.encoding), ...savedNotes(written)];
      const shown = diff.length <= SHOWN ? diff.trimEnd() : `; changed at line ${replaced.join(', ')}`;
      const structured = { path: file.shown, hash: written.hash, diff, replaced, notes };
      return { structured, text: shown || '; Nothing to change', notes, isError: false };
    },
  });
}
