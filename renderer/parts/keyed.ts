/** Each item with its index as a key, for lists that grow at their end only: the items have no identity, and none ever moves. */
export function keyed<T>(items: readonly T[]): readonly { key: string; item: T }[] {
  return items.map((item, index) => ({ key: String(index), item }));
}
