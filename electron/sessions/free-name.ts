/** Names that are made up: the first of a row that is not taken. */

/** @param nth the name of that number, counted from 1 */
export function freeName(taken: Iterable<string>, nth: (number: number) => string): string {
  const names = new Set(taken);
  let number = 1;
  while (names.has(nth(number))) number += 1;
  return nth(number);
}
