/** The configuration file of a client program on this machine, its contents, and what follows from them. */

import { hash } from 'node:crypto';
import { access, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ConnectState } from '../contract/clients';
import { HarborError } from '../contract/errors';
import { fingerprint } from '../host/json';
import type { Snapshot } from './config-file';
import type { Entry } from './formats/config-format';
import { readEntry, removeEntry, type Target, upsertEntry } from './merge';
import {
  type ClientProgram,
  type ComputerFacts,
  type ConfigKind,
  type ConfigPath,
  joinOf,
  packagesFolder,
  SERVER_NAME,
} from './programs/client-program';
import type { InstallRecord } from './record-store';
import { additionsTo, reachesSame, resemblesOwn, type Transport, transportIn } from './transport';

/** Location of a program’s entry, and the record of our having written it. */
export interface ClientInstallation {
  program: ClientProgram;
  /** Format of this file: the program’s own, or that of its project file. */
  kind: ConfigKind;
  path: ConfigPath;
  /** Whether files of the program exist. */
  evident: boolean;
  record: InstallRecord | undefined;
}

/** The contents of the file. `entry` is the value under our key; undefined if there is none. */
export interface Reading extends ClientInstallation {
  snapshot: Snapshot;
  text: string;
  entry: unknown;
  found: Transport | undefined;
  /** The transport that the entry should have. */
  wanted: Transport;
}

/** Returns the entry’s location. An entry that has the form of ours may be replaced as a whole. */
export function targetOf({ program, kind, path: candidate, record }: ClientInstallation): Target {
  const { format, keyPath } = kind;
  return {
    file: candidate.file,
    keyPath,
    name: SERVER_NAME,
    format,
    isReplaceable: (entry) => isRecorded(entry, record) || resemblesOwn(transportIn(entry), program.name),
  };
}

/** Reports whether we wrote exactly this entry. */
function isRecorded(entry: unknown, record: InstallRecord | undefined): boolean {
  return record !== undefined && fingerprint(entry) === record.entry;
}

/**
 * Reports whether the whole entry is what we wrote, or would write now. Only such an entry may be started: code
 * in a project can write an entry that resembles ours.
 */
export function isOurs(reading: Reading): boolean {
  const { entry, record } = reading;
  return entry !== undefined && (isRecorded(entry, record) || additionsOf(reading).length === 0);
}

/** Returns the names of the members by which the entry differs from the one that we would write. */
export function additionsOf(reading: Reading): string[] {
  return additionsTo(entryOf(reading), reading.entry);
}

/**
 * Parses the snapshot. @throws HarborError `config_unreadable` if the program could not read the text
 * @param wantedFor returns the transport that the entry should have, given the current one and whether we wrote
 *   the whole entry
 */
export function readingOf(
  installation: ClientInstallation,
  snapshot: Snapshot,
  wantedFor: (found: Transport | undefined, isRecorded: boolean) => Transport,
): Reading {
  const text = decode(snapshot.bytes ?? Buffer.alloc(0), installation.path.file);
  const entry = readEntry(text, targetOf(installation));
  const found = transportIn(entry);
  const wanted = wantedFor(found, isRecorded(entry, installation.record));
  return { ...installation, snapshot, text, entry, found, wanted };
}

export function stateOf(reading: Reading): ConnectState {
  const { entry, evident, record, found, wanted } = reading;
  if (entry === undefined) return record ? 'dropped' : evident ? 'ready' : 'absent';
  if (!targetOf(reading).isReplaceable(entry)) return 'foreign';
  if (found && reachesSame(found, wanted)) return 'connected';
  return found?.kind === 'http' && wanted.kind === 'http' && found.token === wanted.token
    ? 'moved'
    : 'outdated';
}

/**
 * Returns the file with the wanted entry, or its own bytes if exactly that is there. Nothing of another entry
 * remains.
 */
export function withEntry(reading: Reading): Buffer {
  const { snapshot, text } = reading;
  if (snapshot.bytes && stateOf(reading) === 'connected' && additionsOf(reading).length === 0)
    return snapshot.bytes;
  return Buffer.from(upsertEntry(text, targetOf(reading), entryOf(reading)));
}

/** Returns the entry to write. */
export function entryOf({ kind, wanted }: Pick<Reading, 'kind' | 'wanted'>): Entry {
  return wanted.kind === 'http' ? (kind.notation.http?.(wanted) ?? {}) : kind.notation.stdio(wanted);
}

/** Returns the file without our entry, or null if there is no file. */
export function withoutEntry(reading: Reading): Buffer | null {
  const { record, snapshot, text } = reading;
  return snapshot.bytes && Buffer.from(removeEntry(text, targetOf(reading), record?.madeServers ?? false));
}

/** Reports whether the file is unchanged since we wrote it. */
export function isAsWritten({ record, snapshot }: Reading): boolean {
  return record !== undefined && snapshot.bytes !== null && hash('sha256', snapshot.bytes) === record.after;
}

/** Reports whether bytes contain no entry under our key. Only then can the file be restored to them. */
export function isFreeOfEntry(installation: ClientInstallation, bytes: Buffer): boolean {
  return readEntry(decode(bytes, installation.path.file), targetOf(installation)) === undefined;
}

function decode(bytes: Buffer, file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new HarborError(
      'config_unreadable',
      `${file} is not UTF-8 text. The file was left as it is. Save it as UTF-8 and try again.`,
    );
  }
}

export interface FoundConfigFile {
  kind: ConfigKind;
  path: ConfigPath;
  /** Whether files of the program exist. */
  evident: boolean;
}

/**
 * Finds the configuration file of a program.
 * @param project folder of the project; undefined: the user’s own file
 * @throws HarborError `not_supported` for a program without such a file
 */
export async function findConfigFile(
  program: ClientProgram,
  environment: Omit<ComputerFacts, 'packages'>,
  project: string | undefined,
): Promise<FoundConfigFile> {
  if (project !== undefined) return inProject(program, environment, project);
  const packages = environment.platform === 'win32' ? await foldersIn(packagesFolder(environment)) : [];
  const paths = program.paths?.({ ...environment, packages });
  if (!paths)
    throw new HarborError(
      'not_supported',
      `${program.title} stores its servers where no other program can write. ${program.afterwards}`,
    );
  for (const candidate of [...paths.special, paths.usual])
    if (await isEvident(candidate)) return { kind: program, path: candidate, evident: true };
  return { kind: program, path: paths.usual, evident: false };
}

async function inProject(
  program: ClientProgram,
  environment: Pick<ComputerFacts, 'platform'>,
  folder: string,
): Promise<FoundConfigFile> {
  const { project, title } = program;
  if (!project)
    throw new HarborError('not_supported', `${title} has no known configuration file for single projects.`);
  const file = joinOf(environment)(folder, ...project.file.split('/'));
  return { kind: project, path: { file, evidence: [folder], project: folder }, evident: true };
}

async function isEvident(candidate: ConfigPath): Promise<boolean> {
  const found = await Promise.all(
    candidate.evidence.map((path) =>
      access(path).then(
        () => true,
        () => false,
      ),
    ),
  );
  return found.includes(true);
}

/** Returns folder names, most recently changed first; none if `folder` does not exist. */
async function foldersIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  const dated = await Promise.all(
    names.map(async (name) => ({
      name,
      changed: (await stat(join(folder, name)).catch(() => null))?.mtimeMs ?? 0,
    })),
  );
  return dated.sort((a, b) => b.changed - a.changed).map(({ name }) => name);
}
