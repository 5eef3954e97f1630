/** Keys for items that have no identity but their place in a list that only grows at its end. Pure. */

/** Each item with its place as a key. */
export function keyed<T>(items: readonly T[]): readonly { key: string; item: T }[] {
  return items.map((item, place) => ({ key: String(place), item }));
}
