/** What a configuration language must offer so that one entry can be written into other people's files. Pure. */
import { HarborError } from '../../contract/errors';
import { placeIn } from '../../host/strict-json';

/** Where the entry is: `file` is named in messages only, `keyPath` leads to the servers, `name` is ours among them. */
export interface Spot {
  file: string;
  keyPath: readonly string[];
  name: string;
}

export type Entry = Readonly<Record<string, unknown>>;

/**
 * Text to text, a byte order mark included. Each refuses text that the program itself could not parse, or in
 * which the key path leads to anything but named servers, with HarborError `config_unreadable`.
 */
export interface ConfigFormat {
  /** The entry's value, undefined when there is none. */
  read(text: string, spot: Spot): unknown;
  /** Whether the servers' place exists, be it empty. */
  hasServers(text: string, spot: Spot): boolean;
  /** Adds the entry behind its siblings in their layout, or replaces its value in place. */
  upsert(text: string, spot: Spot, entry: unknown): string;
  /** Takes an existing entry out; `prune` also takes the servers' place when nothing else is left in it. */
  remove(text: string, spot: Spot, prune: boolean): string;
  /** Everything but the entry (and but empty places that lead to it), verbatim: equal before and after an edit. */
  rest(text: string, spot: Spot): string;
}

/** @param body the text without its byte order mark, which `offset` counts from */
export function unreadable(spot: Spot, body: string, offset: number, description: string): HarborError {
  return new HarborError(
    'config_unreadable',
    `${spot.file}, ${placeIn(body, offset)}: ${description}. The file was left as it is; correct it there and try again.`,
  );
}
