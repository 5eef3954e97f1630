/**
 * Parses text of clients before it becomes part of generated code: single forms, restart arguments and object
 * handles.
 */

import { HarborError } from '../contract/errors';
import { noteTexts } from '../contract/note';
import type { BuiltProof } from '../contract/proof';
import { code, OneForm } from '../source/code';
import { dialectOf } from '../source/dialect';
import type { Session } from './session/session';

/**
 * Parses `text` as exactly one form of the session's language.
 * @param argument the name of the argument for messages
 * @throws HarborError `bad_arguments` if it is not exactly one form
 */
export function parseSingleForm(text: string, { identity }: Session, argument: string): OneForm {
  return OneForm.read(text, dialectOf(identity.engine), argument);
}

/**
 * Returns code that steps through each call in `text`, which must be one form.
 * @throws HarborError `bad_arguments`
 */
export function steppingCode(text: string, session: Session): string {
  return `(step ${parseSingleForm(text, session, 'code')})`;
}

/**
 * Parses the arguments of a restart; each is one form whose value is passed.
 * @throws HarborError `bad_arguments` if a text is not exactly one form
 */
export function restartArguments(texts: readonly string[], session: Session): OneForm[] {
  return texts.map((text) => parseSingleForm(text, session, 'arguments'));
}

/** Returns the code of an invoked restart for approvals. */
export function restartCode(restart: number | string, texts: readonly string[] = []): string {
  return ['restart', String(restart), ...texts].join(' ');
}

const HANDLE = /^#o(\d{1,15})(?:\.(\d{1,9}))?$/;

/**
 * Returns the handle of an object: `#o12`, or `#o12.3` in the third image of a session. A handle is valid
 * only for its image, so it includes the generation.
 */
export function objectHandle(object: number, generation: number): string {
  return generation === 1 ? `#o${object}` : `#o${object}.${generation}`;
}

/**
 * Returns the object of a handle.
 * @throws HarborError `bad_arguments`; `unknown_handle` for a handle of an earlier image of the session
 */
export function objectOf(handle: string, generation: number): number {
  const [, object, of = '1'] = HANDLE.exec(handle) ?? [];
  if (object === undefined)
    throw new HarborError('bad_arguments', `${handle} is not an object handle. A handle looks like #o12.`);
  if (Number(of) === generation) return Number(object);
  throw new HarborError(
    'unknown_handle',
    `${handle} belongs to an image that this session has lost (the current generation is ${generation}). Create the value again and inspect the new handle.`,
  );
}

/**
 * Runs proof-builder instructions on `term` up to the first that fails, as an evaluation of the session. Each
 * instruction is one form. The world does not change.
 * @throws HarborError `bad_arguments`, `not_supported`, `session_ended`, `image_lost`
 */
export async function buildProof(
  session: Session,
  client: string,
  { term, instructions }: { term: string; instructions: readonly string[] },
): Promise<BuiltProof> {
  const forms = instructions.map((each) => parseSingleForm(each, session, 'instruction'));
  const building = session
    .ability('world')
    .buildCode(parseSingleForm(term, session, 'term'), code`(${forms})`);
  const row = await session.evaluate({ client, grant: null, kind: 'eval', code: building }).settled;
  const { id, outcome, condition, notes, report } = row;
  const problem = outcome === 'ok' ? null : (condition?.message ?? noteTexts(notes).join(' ')) || outcome;
  return { evaluation: id, problem, goals: report?.proof?.builder?.goals ?? [] };
}
