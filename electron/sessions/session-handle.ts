/** Handles: of sessions, and of objects in their images. */
import { randomInt } from 'node:crypto';
import { HarborError } from '../contract/errors';
import type { EngineName } from '../contract/model';

/** Its engine, and six letters and digits that are hard to mistake for each other when read aloud. */
export function sessionHandle(engine: EngineName): string {
  const letters = 'abcdefghjkmnpqrstuvwxyz23456789';
  const name = Array.from({ length: 6 }, () => letters[randomInt(letters.length)]).join('');
  return `${engine}-${name}`;
}

const HANDLE = /^#o(\d{1,15})(?:\.(\d{1,9}))?$/;

/**
 * `#o12`, or `#o12.3` when the session's image is its third. A handle dies with the image that it was given for, and saying
 * the generation is what lets it be told.
 */
export function objectHandle(object: number, generation: number): string {
  return generation === 1 ? `#o${object}` : `#o${object}.${generation}`;
}

/** @throws HarborError `bad_arguments`, or `unknown_handle` for one of an earlier image of the session */
export function objectOf(handle: string, generation: number): number {
  const [, object, of = '1'] = HANDLE.exec(handle) ?? [];
  if (object === undefined)
    throw new HarborError('bad_arguments', `${handle} is no object handle; one reads #o12.`);
  if (Number(of) === generation) return Number(object);
  throw new HarborError(
    'unknown_handle',
    `${handle} was an object of an image that this session has lost (it is at generation ${generation} now). Make the value again and inspect that.`,
  );
}
