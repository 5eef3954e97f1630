/** The tool `mend_delimiters`: makes the likely fix of a Lisp file whose delimiters do not match. Profiles offer it under their own names. */
import { z } from 'zod';
import { HarborError } from '../../contract/errors';
import { diagnosisOf, diagnosisText } from '../../source/diagnosis';
import { mended } from '../../source/likely-fix';
import { Positions } from '../../source/positions';
import { bytesOf } from '../../source/text-file';
import { shortPath } from '../source-places';
import type { Tool } from '../tool';
import { changeFile, type FileToolOptions, keptNotes, sourceOf, textFile } from './text-files';

const MendArguments = z.strictObject({ path: z.string().min(1).max(4000) });

const MendResult = z.object({
  path: z.string(),
  hash: z.string(),
  fix: z.string().optional().describe('What was done'),
  notes: z.array(z.string()),
});

export function mendDelimitersTool(options: FileToolOptions): Tool<typeof MendArguments, typeof MendResult> {
  return {
    name: 'mend_delimiters',
    title: 'Mend delimiters',
    description:
      'Adds or removes the delimiters of a Lisp file that its indentation says are missing or too many.',
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
        const fixed = mended(source, new Positions(file.text));
        if (fixed === null)
          throw new HarborError(
            'bad_arguments',
            `No simple change mends ${file.shown}. ${diagnosisText(diagnosis)}`,
          );
        const { text, told } = fixed;
        return { bytes: bytesOf({ ...file, text }), answer: `${diagnosis.message} Mended: ${told}` };
      });
      const shown = shortPath(written.path, caller.project);
      const structured = {
        ...{ path: shown, hash: written.hash, notes: keptNotes(written) },
        ...(written.answer === null ? {} : { fix: written.answer }),
      };
      const said = written.answer ?? `The delimiters of ${shown} match.`;
      const text = [said, ...structured.notes.map((note) => `; note: ${note}`)].join('\n');
      return { structured, text, isError: false };
    },
  };
}
