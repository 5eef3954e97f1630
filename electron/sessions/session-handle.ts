/** The handle of a session: its engine and six letters and digits that are hard to mistake for each other when read aloud. */
import { randomInt } from 'node:crypto';
import type { EngineName } from '../contract/model';

export function sessionHandle(engine: EngineName): string {
  const letters = 'abcdefghjkmnpqrstuvwxyz23456789';
  const name = Array.from({ length: 6 }, () => letters[randomInt(letters.length)]).join('');
  return `${engine}-${name}`;
}
