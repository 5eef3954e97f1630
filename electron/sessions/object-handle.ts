/** Handles of objects in images, as tools name values that can be inspected further. */
import { HarborError } from '../contract/errors';

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

/** Objects that an image names in its life come to fewer. */
const MOST_OBJECTS = 1_000_000_000;

/** The same as one number, for systems that name objects so. */
export function objectNumber(handle: string): number {
  const [, object = '0', of = '1'] = HANDLE.exec(handle) ?? [];
  return Number(object) + (Number(of) - 1) * MOST_OBJECTS;
}

export function handleOfNumber(number: number): string {
  return objectHandle(number % MOST_OBJECTS, Math.floor(number / MOST_OBJECTS) + 1);
}
