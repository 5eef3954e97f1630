/**
 * Adds, replaces and removes one entry in a configuration text, always as a whole. Nothing else changes. Pure.
 */

import { isDeepStrictEqual } from 'node:util';
import { diffLines } from 'diff';
import { HarborError } from '../contract/errors';
import type { ConfigFormat, Spot } from './formats/config-format';

/** Location of the entry in a file. */
export interface Target extends Spot {
  format: ConfigFormat;
  /** Reports whether a value found there may be replaced or removed. */
  isReplaceable(entry: unknown): boolean;
}

/**
 * Returns the entry’s value, ours or not; undefined if there is none. @throws HarborError `config_unreadable`
 */
export function readEntry(text: string, target: Target): unknown {
  return target.format.read(text, target);
}

/**
 * Adds our entry, or replaces an old one. @throws HarborError `config_unreadable`, or `config_foreign` for an
 * entry of others
 */
export function upsertEntry(text: string, target: Target, entry: Readonly<Record<string, unknown>>): string {
  const present = ownEntry(text, target);
  if (isDeepStrictEqual(present, entry)) return text;
  return verified(text, target.format.upsert(text, target, entry), target, entry);
}

/**
 * Removes our entry. Text without one is returned unchanged. `prune` also removes the servers’ key if it
 * becomes empty, which is correct if we created it. @throws as `upsertEntry`
 */
export function removeEntry(text: string, target: Target, prune: boolean): string {
  if (ownEntry(text, target) === undefined) return text;
  return verified(text, target.format.remove(text, target, prune), target, undefined);
}

/** Returns the text to paste in an empty file: the entry with all its parents. */
export function snippetOf(target: Target, entry: Readonly<Record<string, unknown>>): string {
  return target.format.upsert('', target, entry).trimEnd();
}

function ownEntry(text: string, target: Target): unknown {
  const entry = readEntry(text, target);
  if (entry === undefined || target.isReplaceable(entry)) return entry;
  throw new HarborError(
    'config_foreign',
    `${target.file} has an entry named "${target.name}" that Lisp Harbor did not write. It was left as it is. Rename or remove it and try again.`,
  );
}

/** Checks that an edit changed only the entry, before another program’s file is written. */
function verified(before: string, after: string, target: Target, entry: unknown): string {
  const same = target.format.rest(before, target) === target.format.rest(after, target);
  if (same && isDeepStrictEqual(readEntry(after, target), entry)) return after;
  throw new HarborError(
    'config_unreadable',
    `${target.file} could not be changed without touching more than the entry "${target.name}". It was left as it is. Edit it by hand.`,
  );
}

/** Tokens, which the diff shortens. */
const TOKEN = /\blh_[\w-]{20,}/g;

/**
 * Returns a unified diff without context lines. A partly changed line is cut to the changed part, because
 * text next to our entry may be another server’s secret. null stands for a missing file. Empty if both are
 * equal.
 */
export function changedLines(file: string, before: Buffer | null, after: Buffer | null): string {
  if (before && after ? before.equals(after) : before === after) return '';
  const [from, to] = [before ? file : '/dev/null', after ? file : '/dev/null'];
  const hunks = hunksOf(before?.toString() ?? '', after?.toString() ?? '');
  const lines = hunks.flatMap(({ line, removed, added }) => {
    const [before, after] = differing(removed, added);
    return [`@@ line ${line} @@`, ...marked('-', before), ...marked('+', after)];
  });
  return `--- ${from}\n+++ ${to}\n${lines.join('\n')}\n`.replace(TOKEN, 'lh_…');
}

interface Hunk {
  /** Line number in the old text, from 1. */
  line: number;
  removed: string;
  added: string;
}

function hunksOf(before: string, after: string): Hunk[] {
  const hunks: Hunk[] = [];
  let line = 1;
  let isOpen = false;
  for (const { value, count, added, removed } of diffLines(before, after)) {
    const isChange = added || removed;
    if (isChange && !isOpen) hunks.push({ line, removed: '', added: '' });
    const hunk = hunks.at(-1);
    if (hunk && removed) hunk.removed += value;
    if (hunk && added) hunk.added += value;
    if (!added) line += count;
    isOpen = isChange;
  }
  return hunks;
}

/** Cuts the common beginning and end of two texts. Lines that differ completely are not cut. */
function differing(removed: string, added: string): [removed: string, added: string] {
  const most = Math.min(removed.length, added.length);
  let start = 0;
  while (start < most && removed[start] === added[start]) start += 1;
  let end = 0;
  while (end < most - start && removed.at(-1 - end) === added.at(-1 - end)) end += 1;
  return [removed.slice(start, removed.length - end), added.slice(start, added.length - end)];
}

function marked(mark: '-' | '+', text: string): string[] {
  const lines = text.replace(/^(?:\r\n|\r|\n)|(?:\r\n|\r|\n)$/g, '').split(/\r\n|\r|\n/);
  return text === '' ? [] : lines.map((line) => mark + line);
}
