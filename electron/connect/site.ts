/** What is known about one program's file at one moment, and what follows from it. Pure. */

import type { ConnectState } from '../contract/connections';
import { HarborError } from '../contract/errors';
import type { Snapshot } from './config-file';
import type { Entry } from './formats/config-format';
import { fingerprint, type InstallRecord, sha256 } from './install-record';
import { readEntry, removeEntry, type Target, upsertEntry } from './merge';
import { type ClientProgram, type ConfigKind, type Place, SERVER_NAME } from './programs/client-program';
import { isOwnTransport, reaches, type Transport, transportIn, withAdditions } from './transport';

/** Where a program's entry goes, and what we remember of having written one. */
export interface Site {
  program: ClientProgram;
  /** Of this file of the program's: its own, or a project's. */
  kind: ConfigKind;
  place: Place;
  /** Something of the program is there. */
  evident: boolean;
  record: InstallRecord | undefined;
}

/** A file's content beside its site. `entry` is what stands under our name, undefined for nothing. */
export interface Reading extends Site {
  snapshot: Snapshot;
  text: string;
  entry: unknown;
  found: Transport | undefined;
  /** What is to stand there. */
  wanted: Transport;
}

/** An entry is ours when it is the one that we wrote, or reaches a harbor for this very client. */
export function targetOf({ program, kind, place, record }: Site): Target {
  const { format, keyPath } = kind;
  return {
    file: place.file,
    keyPath,
    name: SERVER_NAME,
    format,
    isOurs: (entry) =>
      (record !== undefined && fingerprint(entry) === record.entry) ||
      isOwnTransport(transportIn(entry), program.name),
  };
}

/**
 * Reads the snapshot's text; refuses what the program could not read, with `config_unreadable`.
 * @param wantedFor answers what is to stand there, by what does
 */
export function readingOf(
  site: Site,
  snapshot: Snapshot,
  wantedFor: (found: Transport | undefined) => Transport,
): Reading {
  const text = decode(snapshot.bytes ?? Buffer.alloc(0), site.place.file);
  const entry = readEntry(text, targetOf(site));
  const found = transportIn(entry);
  return { ...site, snapshot, text, entry, found, wanted: wantedFor(found) };
}

export function stateOf(reading: Reading): ConnectState {
  const { entry, evident, record, found, wanted } = reading;
  if (entry === undefined) return record ? 'dropped' : evident ? 'ready' : 'absent';
  if (!targetOf(reading).isOurs(entry)) return 'foreign';
  if (found && reaches(found, wanted)) return 'connected';
  return found?.kind === 'http' && wanted.kind === 'http' && found.token === wanted.token
    ? 'moved'
    : 'outdated';
}

/** The file with the wanted entry; its own bytes when that stands there in whatever notation. */
export function withEntry(reading: Reading): Buffer {
  const { snapshot, text } = reading;
  if (snapshot.bytes && stateOf(reading) === 'connected') return snapshot.bytes;
  return Buffer.from(upsertEntry(text, targetOf(reading), entryOf(reading)));
}

/** What is to stand in the file: what reaches the harbor, and what its person has added to that. */
export function entryOf({ kind, entry, found, wanted }: Reading): Entry {
  if (wanted.kind === 'http') return withAdditions(kind.notation.http?.(wanted) ?? {}, entry);
  const env = found?.kind === 'stdio' ? { ...found.env, ...wanted.env } : wanted.env;
  return withAdditions(kind.notation.stdio({ ...wanted, env }), entry);
}

/** The file with our entry cut out; null stays null. */
export function withoutEntry(reading: Reading): Buffer | null {
  const { record, snapshot, text } = reading;
  return snapshot.bytes && Buffer.from(removeEntry(text, targetOf(reading), record?.madeServers ?? false));
}

/** Whether nobody has touched the file since we wrote it. */
export function isAsWritten({ record, snapshot }: Reading): boolean {
  return record !== undefined && snapshot.bytes !== null && sha256(snapshot.bytes) === record.after;
}

/** Whether these bytes, once the file's, hold no entry of our name: only then are they a state to go back to. */
export function isFreeOfEntry(site: Site, bytes: Buffer): boolean {
  return readEntry(decode(bytes, site.place.file), targetOf(site)) === undefined;
}

function decode(bytes: Buffer, file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new HarborError(
      'config_unreadable',
      `${file} is not UTF-8 text. The file was left as it is; save it as UTF-8 and try again.`,
    );
  }
}
