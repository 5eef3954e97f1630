/** The tool `form_at`: which forms a place in a Lisp file is in. Profiles offer it under their own names. */
import { z } from 'zod';
import { HarborError } from '../../contract/errors';
import { Positions } from '../../source/positions';
import type { Source } from '../../source/reader';
import { isForm, type SyntaxNode, walk } from '../../source/syntax-tree';
import type { Tool } from '../tool';
import { type FileToolOptions, fileCaller, openText, sourceOf } from './text-files';

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
  notes: z.array(z.string()),
});

/** Of a form's text. */
const LONGEST = 2000;

export function formAtTool(options: FileToolOptions): Tool<typeof FormAtArguments, typeof FormAtResult> {
  return {
    name: 'form_at',
    title: 'Forms at a place',
    description: 'The forms that a line and column of a Lisp file are in, the innermost first.',
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
        text: source.text.slice(start, end).slice(0, LONGEST),
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
