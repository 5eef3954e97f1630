/**
 * Guards of edits: `clos-describe` returns one with each definition whose form it has found in a file, and
 * `lisp-edit-form` refuses an edit if that file or form has changed since.
 */

import { createHash } from 'node:crypto';
import { z } from 'zod';
import { HarborError } from '../../contract/errors';
import { locate } from '../../source/locate';
import type { TopLevelForm } from '../../source/top-level-forms';
import { type FileToolOptions, openText, sourceOf, type TextFile } from '../../tools/files/text-files';
import type { Caller } from '../../tools/tool';

/** Offsets count UTF-16 units from 0; the end is exclusive. */
export const EditGuard = z.strictObject({
  version: z.literal(1),
  path: z.string().optional(),
  abs_path: z.string(),
  file_digest: z.string(),
  form_start: z.int().min(0),
  form_end: z.int().min(0),
  form_digest: z.string().optional(),
});
export type EditGuard = z.output<typeof EditGuard>;

export const GUARD_ARGUMENTS = {
  guard: EditGuard.optional().describe('edit_guard of clos-describe: refuse if the file has changed since'),
  guard_token: z.string().optional().describe('The same as text, from [guard: …]'),
};

export function guardOf(file: TextFile, { form: { start, end } }: Pick<TopLevelForm, 'form'>): EditGuard {
  return {
    version: 1,
    path: file.shown,
    abs_path: file.path,
    file_digest: file.hash,
    form_start: start,
    form_end: end,
    form_digest: digestOf(file.text.slice(start, end)),
  };
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

/** Characters that would end the token or its line. */
const SEPARATORS = /[%|[\]\p{Cc}]/gu;

/** Returns the guard as one line without brackets. */
export function guardToken({
  version,
  file_digest,
  form_start,
  form_end,
  form_digest,
  abs_path,
}: EditGuard): string {
  const path = abs_path.replaceAll(SEPARATORS, encodeURIComponent);
  return [version, file_digest, form_start, form_end, form_digest, path].join('|');
}

/** @throws HarborError `hash_mismatch`: a token that cannot be read permits no edit */
function guardOfToken(token: string): EditGuard {
  const [version, file_digest, start, end, form_digest, path, ...more] = token.split('|');
  const parsed = EditGuard.safeParse({
    version: Number(version),
    abs_path: decoded(path ?? ''),
    ...{ file_digest, form_digest, form_start: Number(start), form_end: Number(end) },
  });
  if (parsed.success && more.length === 0) return parsed.data;
  throw conflict('the token cannot be read; copy the text between "[guard: " and the next "]"');
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    throw conflict('the path in the token cannot be read');
  }
}

interface GuardedEdit {
  guard?: EditGuard | undefined;
  guard_token?: string | undefined;
  path: string;
  form_type: string;
  form_name: string;
}

/**
 * Returns the hash that the file must still have when it is written; undefined without a guard.
 * @throws HarborError `hash_mismatch` if the guard does not fit; `bad_arguments` for two guards or a form that does
 *   not exist
 */
export async function guardedHash(
  { guard, guard_token: token, path, form_type: type, form_name: name }: GuardedEdit,
  caller: Caller,
  options: FileToolOptions,
): Promise<string | undefined> {
  if (guard !== undefined && token !== undefined)
    throw new HarborError('bad_arguments', 'Give guard or guard_token, not both.');
  const expected = token === undefined ? guard : guardOfToken(token);
  if (expected === undefined) return undefined;
  const file = await openText(path, caller, options);
  if (file.path !== expected.abs_path) throw conflict(`it is about ${expected.abs_path}`);
  if (file.hash !== expected.file_digest)
    throw conflict(
      `file_digest: ${file.shown} has changed, it is ${file.hash} now, not ${expected.file_digest}`,
    );
  const found = guardOf(file, locate(sourceOf(file), { type, name, first: 0 }));
  if (found.form_start !== expected.form_start || found.form_end !== expected.form_end)
    throw conflict(
      `${type} ${name} is another form: it has characters ${found.form_start} to ${found.form_end}`,
    );
  if (expected.form_digest !== undefined && expected.form_digest !== found.form_digest)
    throw conflict('form_digest: the text of the form is another');
  return file.hash;
}

function conflict(reason: string): HarborError {
  return new HarborError(
    'hash_mismatch',
    `Nothing was written: the guard does not fit, ${reason}. Call clos-describe again for a new guard.`,
  );
}
