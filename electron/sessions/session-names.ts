/** How sessions are called: a handle for clients, a name for people. */
import { randomInt } from 'node:crypto';
import { EngineName } from '../contract/model';

/** Its engine, and six letters and digits that are hard to mistake for each other when read aloud. */
export function sessionHandle(engine: EngineName): string {
  const letters = 'abcdefghjkmnpqrstuvwxyz23456789';
  const name = Array.from({ length: 6 }, () => letters[randomInt(letters.length)]).join('');
  return `${engine}-${name}`;
}

/** Whether it can be nothing but the handle of a session, be there one or not. */
export function isHandle(name: string): boolean {
  const [, engine = ''] = /^(.+)-[a-hj-km-np-z2-9]{6}$/.exec(name) ?? [];
  return EngineName.options.some((known) => known === engine);
}

/** The first name of a row that is not taken.
 * @param nth the name of that number, counted from 1 */
export function freeName(taken: Iterable<string>, nth: (number: number) => string): string {
  const names = new Set(taken);
  let number = 1;
  while (names.has(nth(number))) number += 1;
  return nth(number);
}
