/** Definitions that were evaluated and then written to a file without being loaded from it: no image knows of that. */
import type { Finding } from '../../contract/knowledge';

export class SavedDefinitions {
  readonly #keys: Set<string>;
  readonly #onChange: () => void;

  /** @param keys as `all` told them once */
  constructor(keys: readonly string[], onChange: () => void) {
    this.#keys = new Set(keys);
    this.#onChange = onChange;
  }

  get all(): readonly string[] {
    return [...this.#keys];
  }

  get isEmpty(): boolean {
    return this.#keys.size === 0;
  }

  /** The definitions stand in a file from now on. */
  add(definitions: readonly Finding[]): void {
    for (const definition of definitions) {
      const key = keyOf(definition);
      if (key !== null) this.#keys.add(key);
    }
    this.#onChange();
  }

  /** No file holds them any more. */
  remove(definitions: readonly Finding[]): void {
    for (const definition of definitions) this.#keys.delete(keyOf(definition) ?? '');
    this.#onChange();
  }

  /** Whether it is one of them, and was not made anew since. */
  has(definition: Finding): boolean {
    const key = keyOf(definition);
    return key !== null && this.#keys.has(key);
  }
}

/** Another one for each evaluation that makes it; null where the image does not say which did. */
function keyOf({ kind, text, source, command }: Finding): string | null {
  const made = source?.evaluation ?? command;
  return made === undefined ? null : `${kind} ${text} ${made}:${source?.position ?? source?.line ?? ''}`;
}
