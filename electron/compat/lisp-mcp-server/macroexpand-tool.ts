/** `lisp-macroexpand`: expands a form of a file, calls inside it, or code, in the session that has the macros. */

import { basename } from 'node:path';
import { z } from 'zod';
import { HarborError } from '../../contract/errors';
import type { Evaluation } from '../../contract/model';
import { type Note, NoteText, note } from '../../contract/note';
import { type Code, code, OneForm, SymbolName, stringCode } from '../../source/code';
import { locate } from '../../source/locate';
import { EnteredPackages } from '../../source/names/package-forms';
import type { FileSource } from '../../source/own-syntax';
import { stringRead } from '../../source/s-expression';
import { type Branch, walk } from '../../source/syntax-tree';
import { Positions } from '../../source/text';
import { isList, operatorOf, topLevelForms, withoutPackage } from '../../source/top-level-forms';
import { sessionOf } from '../../tools/arguments';
import type { EvaluateToolOptions } from '../../tools/evaluation/evaluation-answer';
import { evaluateFor, evaluationInstead, OwnRecord } from '../../tools/evaluation/own-evaluation';
import { type FileToolOptions, fileCaller, openText, sourceOf } from '../../tools/files/text-files';
import type { Caller, Tool } from '../../tools/tool';

const Arguments = z.strictObject({
  path: z.string().min(1).max(4000).optional().describe('File, with form_type and form_name'),
  form_type: z.string().min(1).optional(),
  form_name: z.string().min(1).optional().describe('area, or area[1] for the second of several'),
  sub_form: z.string().min(1).max(500).optional().describe('Macro: expand its calls inside the form'),
  code: z.string().min(1).max(100_000).optional().describe('A form, instead of path'),
  package: z.string().max(500).optional().describe('Default: that of the file'),
  level: z
    .enum(['once', 'full', 'all'])
    .optional()
    .describe('once (default); full: the outermost; all: nested too'),
  readtable: z.string().max(500).optional().describe('Named readtable to read the form with'),
  print_level: z.int().min(1).max(1000).optional(),
  print_length: z.int().min(1).max(100_000).optional(),
  max_output_length: z.int().min(1).optional().describe('Characters of each expansion (50000)'),
});
type Arguments = z.output<typeof Arguments>;

const Expansion = z.object({ label: z.string().optional(), expanded: z.boolean(), expansion: z.string() });
type Expansion = z.output<typeof Expansion>;

const Result = z.object({
  session: z.string(),
  package: z.string().optional(),
  expansions: z.array(Expansion).optional(),
  evaluation: OwnRecord.optional(),
  notes: z.array(NoteText),
});

/** Maximum number of calls that are expanded at once. */
const MAX_CALLS = 10;
const OUTPUT_CHARACTERS = 50_000;

export function macroexpandTool(
  options: EvaluateToolOptions & FileToolOptions,
): Tool<typeof Arguments, typeof Result> {
  return {
    name: 'lisp-macroexpand',
    title: 'Expand macros',
    description:
      'Expands a form of a file, the calls of one macro inside it (sub_form), or code. The macros must be loaded; expanding runs them.',
    scope: 'evaluate',
    args: Arguments,
    result: Result,
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    async run(args, caller) {
      const sources = await sourcesOf(args, caller, options);
      const { session, notes: about } = await sessionOf(undefined, caller, options.sessions);
      const notes = [...about, ...sources.notes];
      const where = args.package ?? sources.package;
      const row = await evaluateFor(
        caller,
        session,
        {
          kind: 'inspect',
          code: sources.forms.map((form) => printedExpansion(form, args)).join('\n'),
          safeRead: true,
          ...(where === undefined ? {} : { package: where }),
        },
        options,
      );
      if (row.outcome !== 'ok') return evaluationInstead(row, session, caller, options, notes);
      const expansions = expansionsIn(row, sources.forms, args);
      const structured = {
        ...{ session: session.id, expansions, notes },
        ...(where === undefined ? {} : { package: where }),
      };
      return {
        structured,
        text: expansionsText(expansions),
        asides: notes,
        isError: false,
        evaluation: row.id,
      };
    },
  };
}

interface FormToExpand {
  label?: string;
  text: string;
  /** Part of a template, which has no expansion of its own. */
  inTemplate?: boolean;
}

interface Sources {
  forms: FormToExpand[];
  package?: string;
  notes: Note[];
}

/** @throws HarborError `bad_arguments`, and as `openText` */
async function sourcesOf(args: Arguments, caller: Caller, options: FileToolOptions): Promise<Sources> {
  const { path, form_type: type, form_name: name, sub_form: macro } = args;
  if ((path === undefined) === (args.code === undefined))
    throw new HarborError('bad_arguments', 'Give either path with form_type and form_name, or code.');
  if (path === undefined) {
    if (macro !== undefined) throw new HarborError('bad_arguments', 'sub_form needs path, not code.');
    return { forms: [{ text: String(OneForm.read(args.code ?? '', 'common-lisp', 'code')) }], notes: [] };
  }
  if (type === undefined || name === undefined)
    throw new HarborError('bad_arguments', 'path needs form_type and form_name.');
  const file = await openText(path, caller, options, fileCaller(caller));
  const source = sourceOf(file);
  const found = locate(source, { type, name, first: 0 });
  const entered = EnteredPackages.of(topLevelForms(source), source).at(found.form.start);
  const calls = macro === undefined ? [] : callsIn(found.form, macro, source);
  if (macro !== undefined && calls.length === 0)
    throw new HarborError('bad_arguments', `${type} ${name} in ${file.shown} has no call of ${macro}.`);
  const positions = new Positions(source.text);
  const lineOf = (start: number) => `${basename(file.path)} line ${positions.line(start)}`;
  const shown = calls.slice(0, MAX_CALLS);
  const forms =
    macro === undefined
      ? [{ node: found.form, label: `${type} ${name} (${lineOf(found.form.start)})` }]
      : shown.map(({ node, inTemplate }, index) => ({
          node,
          label: [
            `${macro} (${lineOf(node.start)})`,
            ...(calls.length > 1 ? [`[${index + 1}/${calls.length}]`] : []),
            ...(inTemplate ? ['[backquote template]'] : []),
          ].join(' '),
          inTemplate,
        }));
  const more = calls.length - shown.length;
  return {
    forms: forms.map(({ node: { start, end }, ...rest }) => ({
      ...rest,
      text: source.text.slice(start, end),
    })),
    ...(entered === null ? {} : { package: entered }),
    notes: more > 0 ? [note('cut', `${more} more calls of ${macro ?? 'the macro'} are not shown.`)] : [],
  };
}

/** Returns the lists inside a form that start with the macro, except in quoted data. */
function callsIn(form: TopLevelNode, macro: string, source: FileSource) {
  const wanted = withoutPackage(macro, 'common-lisp').toLowerCase();
  const calls: { node: Branch; inTemplate: boolean }[] = [];
  if (!isList(form)) return calls;
  for (const { node, parents } of walk(form)) {
    if (!isList(node) || operatorOf(node, source)?.toLowerCase() !== wanted) continue;
    const around = parents
      .filter(({ kind }) => kind === 'prefixed')
      .map(({ start, inner }) => source.text.slice(start, inner));
    if (around.includes("'") || around.includes("#'")) continue;
    // Code after a comma is evaluated again.
    calls.push({ node, inTemplate: around.findLast((each) => /^[`,]/.test(each)) === '`' });
  }
  return calls;
}

type TopLevelNode = ReturnType<typeof topLevelForms>[number]['form'];

const EXPANDERS = {
  once: 'cl:macroexpand-1',
  full: 'cl:macroexpand',
  all: 'sb-cltl2:macroexpand-all',
} as const;

/**
 * Returns code for a text: the expansion, and in its last line whether it differs from the form. The form is read
 * as a text, so that its readtable may be another; labels keep the code from interning symbols in the user's package.
 */
function printedExpansion(
  { text, inTemplate }: FormToExpand,
  { level = 'once', readtable, print_level: depth = 50, print_length: length = 1000 }: Arguments,
): string {
  if (inTemplate) return String(code`(cl:format cl:nil "~A~%template" ${stringCode(text)})`);
  const expander = SymbolName.read(EXPANDERS[level], 'common-lisp', 'level');
  const table = readtable === undefined ? code`cl:*readtable*` : namedReadtable(readtable);
  return String(code`(cl:let* ((cl:*print-case* :downcase) (cl:*print-pretty* cl:t) (cl:*print-circle* cl:nil)
  (cl:*print-level* ${depth}) (cl:*print-length* ${length}) (cl:*print-right-margin* 100)
  (#1=#:form (cl:let ((cl:*readtable* ${table}) (cl:*read-eval* cl:nil)) (cl:read-from-string ${stringCode(text)})))
  (#2=#:expansion (${expander} #1#)))
 (cl:format cl:nil "~S~%~A" #2# (cl:if (cl:equal #1# #2#) "same" "expanded")))`);
}

function namedReadtable(name: string): Code {
  const symbol = SymbolName.read(name, 'common-lisp', 'readtable');
  return code`(cl:or (uiop:symbol-call :named-readtables :find-readtable '${symbol}) (cl:error "There is no readtable ~S here." '${symbol}))`;
}

function expansionsIn(
  row: Evaluation,
  forms: readonly FormToExpand[],
  { max_output_length: most = OUTPUT_CHARACTERS }: Arguments,
): Expansion[] {
  return forms.map(({ label }, index) => {
    const printed = stringRead(row.forms[index]?.values[0] ?? '');
    const end = printed.lastIndexOf('\n');
    const expansion = printed.slice(0, end);
    const cut = expansion.length > most ? `${expansion.slice(0, most)}\n... (truncated)` : expansion;
    return {
      ...(label === undefined ? {} : { label }),
      expanded: printed.slice(end + 1) === 'expanded',
      expansion: cut,
    };
  });
}

function expansionsText(expansions: readonly Expansion[]): string {
  return expansions
    .map(({ label, expanded, expansion }) =>
      [
        ...(label === undefined ? [] : [`;; ${label}`]),
        ...(expanded
          ? []
          : [';; NOT EXPANDED: it is part of a template, or its operator is no macro in this package']),
        expansion,
      ].join('\n'),
    )
    .join('\n\n');
}
