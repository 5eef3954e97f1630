/** What is known about one program's file at one moment, and what follows from it. Pure. */
import { isDeepStrictEqual } from 'node:util';
import { HarborError } from '../contract/errors';
import type { ConnectState } from '../contract/model';
import type { ClientProgram, Place } from './client-program';
import type { Snapshot } from './config-file';
import { type InstallRecord, sha256 } from './install-record';
import { readEntry, removeEntry, type Target, upsertEntry } from './merge';
import { isStdioCommand, type StdioCommand, sameCommand } from './stdio-command';
import { SERVER_NAME } from './table';

/** Where a program's entry goes, which one is wanted there, and what we remember of having written one. */
export interface Site {
  program: ClientProgram;
  place: Place;
  /** Something of the program is there. */
  evident: boolean;
  wanted: StdioCommand;
  record: InstallRecord | undefined;
}

/** A file's content beside its site. `entry` is what stands under our name, undefined for nothing. */
export interface Reading extends Site {
  snapshot: Snapshot;
  text: string;
  entry: unknown;
}

/** An entry is ours when it is the one that we wrote, or runs a harbor for this very client. */
export function targetOf({ program, place, record }: Site): Target {
  const { format, keyPath, name, shape } = program;
  return {
    file: place.file,
    keyPath,
    name: SERVER_NAME,
    format,
    isOurs: (entry) =>
      (record !== undefined && isDeepStrictEqual(entry, record.entry)) ||
      isStdioCommand(shape.read(entry)?.args ?? [], name),
  };
}

/** Reads the snapshot's text; refuses what the program could not read, with `config_unreadable`. */
export function readingOf(site: Site, snapshot: Snapshot): Reading {
  const text = decode(snapshot.bytes ?? Buffer.alloc(0), site.place.file);
  return { ...site, snapshot, text, entry: readEntry(text, targetOf(site)) };
}

export function stateOf(reading: Reading): ConnectState {
  const { entry, evident, program, wanted } = reading;
  if (entry === undefined) return evident ? 'ready' : 'absent';
  if (!targetOf(reading).isOurs(entry)) return 'foreign';
  const command = program.shape.read(entry);
  return command && sameCommand(command, wanted) ? 'connected' : 'outdated';
}

/** The file with the wanted entry; its own bytes when that stands there in whatever notation. */
export function withEntry(reading: Reading): Buffer {
  const { program, snapshot, text, wanted } = reading;
  if (snapshot.bytes && stateOf(reading) === 'connected') return snapshot.bytes;
  return Buffer.from(upsertEntry(text, targetOf(reading), program.shape.write(wanted)));
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
