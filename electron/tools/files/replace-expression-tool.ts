/** The tool `replace_expression`: replaces expressions of a Clojure file wherever they stand. Profiles offer it under their own names. */
import { z } from 'zod';
import { HarborError } from '../../contract/errors';
import { dialectOfFile } from '../../source/dialect';
import { differenceText } from '../../source/edit';
import { replaceExpressions } from '../../source/expressions';
import { bytesOf } from '../../source/text-file';
import { shortPath } from '../source-places';
import type { Tool } from '../tool';
import { changeFile, encodingNotes, type FileToolOptions, keptNotes, textFile } from './text-files';

/** Characters of a difference that are shown. */
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
  notes: z.array(z.string()),
});

export function replaceExpressionTool(
  options: FileToolOptions,
): Tool<typeof ReplaceArguments, typeof ReplaceResult> {
  return {
    name: 'replace_expression',
    title: 'Replace expressions',
    description: 'Replaces an expression of a Clojure file, however it is laid out there.',
    scope: 'evaluate',
    approval: 'write',
    args: ReplaceArguments,
    result: ReplaceResult,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
    async run({ path, expression, replacement, all = false }, caller) {
      const written = await changeFile(path, caller, options, (bytes) => {
        const file = textFile(bytes, shortPath(bytes.path, caller.project));
        if (dialectOfFile(file.path) !== 'clojure')
          throw new HarborError('bad_arguments', `${file.shown} is no Clojure file, as its name says.`);
        const done = replaceExpressions(file.text, expression, replacement, all);
        const changed = done.text === file.text ? null : bytesOf({ ...file, text: done.text });
        return { bytes: changed, answer: { file, ...done } };
      });
      const { file, text, replaced, left } = written.answer;
      const diff = differenceText(file.shown, file.text, text) ?? 'Too much has changed to show.';
      const others = left.length === 0 ? [] : [`It is also at line ${left.join(', ')}, left as it was.`];
      const notes = [...others, ...encodingNotes(file.encoding), ...keptNotes(written)];
      const shown = diff.length <= SHOWN ? diff.trimEnd() : `; changed at line ${replaced.join(', ')}`;
      const said = [shown || '; Nothing to change', ...notes.map((note) => `; note: ${note}`)];
      const structured = { path: file.shown, hash: written.hash, diff, replaced, notes };
      return { structured, text: said.join('\n'), isError: false };
    },
  };
}
