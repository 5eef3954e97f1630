/**
 * What a client of the 2025 era wants to hear of resources. Of single ones it says so. Of their list it cannot, so it hears
 * of that once it has asked for it; before, a notification would do harm: many small clients over stdio take every line
 * for the answer to their last request.
 */
import type { Change } from '../../tools/resources/resource-changes';

export class ResourceInterest {
  readonly #subscribed = new Set<string>();
  #listed = false;

  /** The client has asked for the list. */
  listed(): void {
    this.#listed = true;
  }

  subscribe(uri: string): void {
    this.#subscribed.add(uri);
  }

  unsubscribe(uri: string): void {
    this.#subscribed.delete(uri);
  }

  /** Whether the client is to be told. */
  covers(change: Change): boolean {
    switch (change.kind) {
      case 'tools':
        return true;
      case 'resources':
        return this.#listed || this.#subscribed.size > 0;
      case 'resource':
        return this.#subscribed.has(change.uri);
    }
  }
}
