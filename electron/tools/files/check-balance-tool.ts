/** The tool `check_balance`: checks the delimiters of a Lisp file or text. Profiles offer it under their own names. */
import { z } from 'zod';
import { HarborError } from '../../contract/errors';
import { diagnosisOf, diagnosisText } from '../../source/diagnosis';
import { dialectOfFile } from '../../source/dialect';
import { read } from '../../source/reader';
import { slice } from '../../source/slice';
import type { Caller, Tool } from '../tool';
import { type FileToolOptions, fileCaller, openText } from './text-files';

/** Characters that are checked at once. */
const MOST_CHARACTERS = 2_097_152;

const CheckArguments = z.strictObject({
  path: z.string().min(1).max(4000).optional().describe('A Lisp file'),
  code: z.string().optional().describe('Or text of Common Lisp'),
  offset: z.int().min(0).optional().describe('Of the file, in characters; lines are counted from there'),
  limit: z.int().min(0).optional(),
});
type CheckArguments = z.output<typeof CheckArguments>;

const CheckResult = z.object({
  ok: z.boolean(),
  line: z.int().optional(),
  column: z.int().optional(),
  message: z.string().optional(),
  fix: z.string().optional(),
  notes: z.array(z.string()),
});

export type BalanceCheck = z.output<typeof CheckResult>;

export function checkBalanceTool(options: FileToolOptions): Tool<typeof CheckArguments, typeof CheckResult> {
  return {
    name: 'check_balance',
    title: 'Check delimiters',
    description:
      'Says whether the delimiters of a Lisp file or text match; if not, where, and the likely fix.',
    scope: 'read',
    args: CheckArguments,
    result: CheckResult,
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    async run(args, caller) {
      const { text, dialect } = await textOf(args, caller, options);
      if (text.length > MOST_CHARACTERS)
        throw new HarborError(
          'bad_arguments',
          `The text has ${text.length} characters; at most ${MOST_CHARACTERS} (2 MiB) are checked.`,
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
