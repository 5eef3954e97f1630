/** One entry into a configuration text and out of it again: whose entry it is decides, and nothing else may change. Pure. */
import { isDeepStrictEqual } from 'node:util';
import { HarborError } from '../contract/errors';
import type { ConfigFormat, Spot } from './formats/config-format';

/** The entry's place in one file. `isOurs` says whether a value found there may be replaced or removed. */
export interface Target extends Spot {
  format: ConfigFormat;
  isOurs(entry: unknown): boolean;
}

/** The entry's value, ours or not; undefined when there is none. Refuses unreadable text (`config_unreadable`). */
export function readEntry(text: string, target: Target): unknown {
  return target.format.read(text, target);
}

/** Adds our entry, or replaces our old one. Refuses unreadable text and a foreign entry (`config_foreign`). */
export function upsertEntry(text: string, target: Target, entry: Readonly<Record<string, unknown>>): string {
  const present = ownEntry(text, target);
  if (isDeepStrictEqual(present, entry)) return text;
  return verified(text, target.format.upsert(text, target, entry), target, entry);
}

/**
 * Takes our entry out; text without one comes back as it is. `prune` takes the servers' place too when it is
 * empty then: right when we created it. Refuses like `upsertEntry`.
 */
export function removeEntry(text: string, target: Target, prune: boolean): string {
  if (ownEntry(text, target) === undefined) return text;
  return verified(text, target.format.remove(text, target, prune), target, undefined);
}

/** What a person may paste into an empty file: the entry with all that leads to it. */
export function snippetOf(target: Target, entry: Readonly<Record<string, unknown>>): string {
  return target.format.upsert('', target, entry).trimEnd();
}

function ownEntry(text: string, target: Target): unknown {
  const entry = readEntry(text, target);
  if (entry === undefined || target.isOurs(entry)) return entry;
  throw new HarborError(
    'config_foreign',
    `${target.file} has an entry named "${target.name}" that Lisp Harbor did not write. It was left as it is; rename or remove it there and try again.`,
  );
}

/** The last guard before somebody's file is written: a fault of ours must not become a fault in it. */
function verified(before: string, after: string, target: Target, entry: unknown): string {
  const same = target.format.rest(before, target) === target.format.rest(after, target);
  if (same && isDeepStrictEqual(readEntry(after, target), entry)) return after;
  throw new HarborError(
    'config_unreadable',
    `${target.file} could not be changed without touching more than the entry "${target.name}". It was left as it is; edit it by hand.`,
  );
}
