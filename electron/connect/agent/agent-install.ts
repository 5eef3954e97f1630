/**
 * Installs skills, hooks and kernels in the folders of other programs, records the previous files, and undoes
 * the installation.
 */
import { hash } from 'node:crypto';
import { HarborError } from '../../contract/errors';
import type { EngineName } from '../../contract/model';
import { deleteFile, readSnapshot, replaceFile, type Snapshot } from '../config-file';
import { changedLines } from '../merge';
import { type Before, type InstallRecord, RecordStore } from '../record-store';

import {
  AGENT_PROGRAMS,
  type AgentInstallation,
  type AgentProgram,
  type Piece,
  type PieceState,
} from './agent-files';

export interface AgentView {
  name: string;
  title: string;
  pieces: { kind: string; file: string; state: PieceState }[];
  afterwards: string;
}

/** A piece and the current state of its file. */
interface Reading {
  piece: Piece;
  snapshot: Snapshot;
  text: string | null;
  state: PieceState;
  record: InstallRecord | undefined;
}

export class AgentInstall {
  readonly #records: RecordStore;
  readonly #installation: AgentInstallation;

  /** @param folder the folder of records and backups */
  constructor(folder: string, installation: AgentInstallation) {
    this.#records = new RecordStore(folder);
    this.#installation = installation;
  }

  list(): Promise<AgentView[]> {
    return Promise.all(AGENT_PROGRAMS.map((program) => this.#view(program)));
  }

  /** Returns the changes of `install` as unified diffs. @throws HarborError as `install` */
  async diff(name: string, engines: readonly EngineName[] = []): Promise<string> {
    const readings = await this.#readAll(programNamed(name), engines);
    return readings
      .map(({ piece, snapshot, text }) =>
        changedLines(piece.file, snapshot.bytes, Buffer.from(piece.put(text))),
      )
      .join('');
  }

  /**
   * Adds missing pieces and updates old ones.
   * @param engines those that were found; pieces for others are left out
   * @throws HarborError `client_unknown`, `config_foreign`, `config_unreadable`, `config_unwritable`; then
   *   none of the files was changed
   */
  async install(name: string, engines: readonly EngineName[] = []): Promise<AgentView> {
    const program = programNamed(name);
    for (const reading of await this.#readAll(program, engines))
      if (reading.state !== 'installed') await this.#put(program, reading);
    return this.#view(program);
  }

  /**
   * Restores the previous bytes of a file that was not changed since; removes only our part from any other.
   * @throws as `install`
   */
  async remove(name: string): Promise<AgentView> {
    const program = programNamed(name);
    for (const reading of await this.#readAll(program)) {
      if (reading.state !== 'absent') await this.#removePiece(program, reading);
      await this.#records.forget(keyOf(program, reading.piece), reading.piece.file);
    }
    return this.#view(program);
  }

  /** Writes the record first. Without it the change could not be undone exactly. */
  async #put(program: AgentProgram, { piece, snapshot, text, record }: Reading): Promise<void> {
    const bytes = Buffer.from(piece.put(text));
    const key = keyOf(program, piece);
    const before =
      record && isAsWritten(snapshot, record) ? record.before : await this.#before(key, snapshot);
    const written = { version: 2 as const, client: key, file: piece.file, writtenAt: Date.now(), entry: '' };
    try {
      await this.#records.write({ ...written, after: hash('sha256', bytes), before, madeServers: false });
      await replaceFile(snapshot, bytes);
    } catch (error) {
      await (record ? this.#records.write(record) : this.#records.forget(key, piece.file));
      throw error;
    }
  }

  async #before(key: string, { bytes, missingFolder }: Snapshot): Promise<Before> {
    if (bytes === null)
      return { existed: false, ...(missingFolder !== undefined && { madeFolder: missingFolder }) };
    return { existed: true, sha256: hash('sha256', bytes), backup: await this.#records.backUp(key, bytes) };
  }

  async #removePiece(program: AgentProgram, reading: Reading): Promise<void> {
    const { piece, snapshot, record } = reading;
    const bytes = await this.#undone(reading);
    const untouched = isAsWritten(snapshot, record);
    if (!untouched && snapshot.bytes) await this.#records.backUp(keyOf(program, piece), snapshot.bytes);
    if (bytes !== null) await replaceFile(snapshot, bytes);
    else await deleteFile(snapshot, record?.before.existed === false ? record.before.madeFolder : undefined);
    if (record && untouched) await this.#records.discard(record.before);
  }

  /** Returns the file without our piece; null if no file remains. */
  async #undone({ piece, snapshot, text, record }: Reading): Promise<Buffer | null> {
    if (record && isAsWritten(snapshot, record)) {
      if (!record.before.existed) return null;
      const old = await this.#records.backedUp(record.before);
      if (old) return old;
    }
    const remaining = piece.take(text ?? '');
    return remaining === null ? null : Buffer.from(remaining);
  }

  /** @param engines leaves out pieces for other engines; absent: none */
  async #readAll(program: AgentProgram, engines?: readonly EngineName[]): Promise<Reading[]> {
    const readings: Reading[] = [];
    for (const piece of program.pieces(this.#installation))
      if (!engines || piece.engine === undefined || engines.includes(piece.engine))
        readings.push(await this.#read(program, piece));
    const foreign = readings.find(({ state }) => state === 'foreign');
    if (!foreign) return readings;
    throw new HarborError(
      'config_foreign',
      `${foreign.piece.file} exists but was not written by Lisp Harbor. It was left as it is. Rename or remove it and try again.`,
    );
  }

  async #read(program: AgentProgram, piece: Piece): Promise<Reading> {
    const snapshot = await readSnapshot(piece.file, this.#installation.project);
    const text = snapshot.bytes?.toString() ?? null;
    const record = await this.#records.read(keyOf(program, piece), piece.file);
    return { piece, snapshot, text, state: piece.state(text), record };
  }

  async #view(program: AgentProgram): Promise<AgentView> {
    const { name, title, afterwards } = program;
    const pieces = await Promise.all(
      program.pieces(this.#installation).map(async (piece) => {
        const { state } = await this.#read(program, piece);
        return { kind: piece.kind, file: piece.file, state };
      }),
    );
    return { name, title, pieces, afterwards };
  }
}

function keyOf(program: AgentProgram, piece: Piece): string {
  return `agent-${program.name}-${piece.kind}`;
}

/** Reports whether the file is as we wrote it. */
function isAsWritten({ bytes }: Snapshot, record: InstallRecord | undefined): boolean {
  return bytes !== null && record !== undefined && hash('sha256', bytes) === record.after;
}

function programNamed(name: string): AgentProgram {
  const program = AGENT_PROGRAMS.find((candidate) => candidate.name === name);
  if (program) return program;
  const names = AGENT_PROGRAMS.map((candidate) => candidate.name).join(', ');
  throw new HarborError('client_unknown', `There is no program "${name}". Programs: ${names}.`);
}
