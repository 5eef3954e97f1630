/** Handles and names of sessions. */

import { randomInt } from 'node:crypto';
import { EngineName } from '../contract/model';

/**
 * Returns a new handle: the engine, and six letters and digits that are easy to tell apart when read aloud.
 */
export function sessionHandle(engine: EngineName): string {
  const letters = 'abcdefghjkmnpqrstuvwxyz23456789';
  const name = Array.from({ length: 6 }, () => letters[randomInt(letters.length)]).join('');
  return `${engine}-${name}`;
}

/** Reports whether the name has the form of a handle, existing or not. */
export function isHandle(name: string): boolean {
  const [, engine = ''] = /^(.+)-[a-hj-km-np-z2-9]{6}$/.exec(name) ?? [];
  return EngineName.options.some((known) => known === engine);
}

/**
 * Returns the first name that is not taken.
 * @param nth returns the candidate of that number, from 1
 */
export function freeName(taken: Iterable<string>, nth: (number: number) => string): string {
  const names = new Set(taken);
  let number = 1;
  while (names.has(nth(number))) number += 1;
  return nth(number);
}
