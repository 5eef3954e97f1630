/** Puts skills and hooks into the folders of agents' programs, remembers how those were, and undoes it. */
import { HarborError } from '../../contract/errors';
import { changedLines } from '../changed-lines';
import { deleteFile, readSnapshot, replaceFile, type Snapshot } from '../config-file';
import { type Before, type InstallRecord, sha256 } from '../install-record';
import { RecordStore } from '../record-store';
import type { Piece, PieceState } from './piece';
import { AGENT_PROGRAMS, type AgentProgram, type AgentSite } from './table';

export interface AgentView {
  name: string;
  title: string;
  pieces: { kind: string; file: string; state: PieceState }[];
  afterwards: string;
}

/** A piece, and what its file is at this moment. */
interface Reading {
  piece: Piece;
  snapshot: Snapshot;
  text: string | null;
  state: PieceState;
  record: InstallRecord | undefined;
}

export class AgentInstall {
  readonly #records: RecordStore;
  readonly #site: AgentSite;

  /** @param folder where records and backups are kept */
  constructor(folder: string, site: AgentSite) {
    this.#records = new RecordStore(folder);
    this.#site = site;
  }

  list(): Promise<AgentView[]> {
    return Promise.all(AGENT_PROGRAMS.map((program) => this.#view(program)));
  }

  /** What `install` would change, as unified diffs. @throws HarborError as `install` */
  async diff(name: string): Promise<string> {
    const readings = await this.#readAll(programNamed(name));
    return readings
      .map(({ piece, snapshot, text }) =>
        changedLines(piece.file, snapshot.bytes, Buffer.from(piece.put(text))),
      )
      .join('');
  }

  /**
   * Adds what is missing and renews what is old.
   * @throws HarborError `client_unknown`, `config_foreign`, `config_unreadable`, `config_unwritable`: of those files
   * nothing was changed
   */
  async install(name: string): Promise<AgentView> {
    const program = programNamed(name);
    for (const reading of await this.#readAll(program))
      if (reading.state !== 'installed') await this.#put(program, reading);
    return this.#view(program);
  }

  /** A file that nobody touched since gets its old bytes back; from any other only what is ours goes. @throws as `install` */
  async remove(name: string): Promise<AgentView> {
    const program = programNamed(name);
    for (const reading of await this.#readAll(program)) {
      if (reading.state !== 'absent') await this.#take(program, reading);
      await this.#records.forget(keyOf(program, reading.piece), reading.piece.file);
    }
    return this.#view(program);
  }

  /** The record comes first: without it what was written could not be undone exactly. */
  async #put(program: AgentProgram, { piece, snapshot, text, record }: Reading): Promise<void> {
    const bytes = Buffer.from(piece.put(text));
    const key = keyOf(program, piece);
    const before =
      record && isAsWritten(snapshot, record) ? record.before : await this.#before(key, snapshot);
    const written = { version: 2 as const, client: key, file: piece.file, writtenAt: Date.now(), entry: '' };
    try {
      await this.#records.write({ ...written, after: sha256(bytes), before, madeServers: false });
      await replaceFile(snapshot, bytes);
    } catch (error) {
      await (record ? this.#records.write(record) : this.#records.forget(key, piece.file));
      throw error;
    }
  }

  async #before(key: string, { bytes, missingFolder }: Snapshot): Promise<Before> {
    if (bytes === null)
      return { existed: false, ...(missingFolder !== undefined && { madeFolder: missingFolder }) };
    return { existed: true, sha256: sha256(bytes), backup: await this.#records.backUp(key, bytes) };
  }

  async #take(program: AgentProgram, reading: Reading): Promise<void> {
    const { piece, snapshot, record } = reading;
    const bytes = await this.#undone(reading);
    const untouched = isAsWritten(snapshot, record);
    if (!untouched && snapshot.bytes) await this.#records.backUp(keyOf(program, piece), snapshot.bytes);
    if (bytes !== null) await replaceFile(snapshot, bytes);
    else await deleteFile(snapshot, record?.before.existed === false ? record.before.madeFolder : undefined);
    if (record && untouched) await this.#records.discard(record.before);
  }

  /** null for no file. */
  async #undone({ piece, snapshot, text, record }: Reading): Promise<Buffer | null> {
    if (record && isAsWritten(snapshot, record)) {
      if (!record.before.existed) return null;
      const old = await this.#records.backedUp(record.before);
      if (old) return old;
    }
    const left = piece.take(text ?? '');
    return left === null ? null : Buffer.from(left);
  }

  async #readAll(program: AgentProgram): Promise<Reading[]> {
    const readings: Reading[] = [];
    for (const piece of program.pieces(this.#site)) readings.push(await this.#read(program, piece));
    const foreign = readings.find(({ state }) => state === 'foreign');
    if (!foreign) return readings;
    throw new HarborError(
      'config_foreign',
      `${foreign.piece.file} is there, and Lisp Harbor did not write it. It was left as it is; rename or remove it and try again.`,
    );
  }

  async #read(program: AgentProgram, piece: Piece): Promise<Reading> {
    const snapshot = await readSnapshot(piece.file);
    const text = snapshot.bytes?.toString() ?? null;
    const record = await this.#records.read(keyOf(program, piece), piece.file);
    return { piece, snapshot, text, state: piece.state(text), record };
  }

  async #view(program: AgentProgram): Promise<AgentView> {
    const { name, title, afterwards } = program;
    const pieces = await Promise.all(
      program.pieces(this.#site).map(async (piece) => {
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

/** Whether nobody has touched the file since we wrote it. */
function isAsWritten({ bytes }: Snapshot, record: InstallRecord | undefined): boolean {
  return bytes !== null && record !== undefined && sha256(bytes) === record.after;
}

function programNamed(name: string): AgentProgram {
  const program = AGENT_PROGRAMS.find((candidate) => candidate.name === name);
  if (program) return program;
  const names = AGENT_PROGRAMS.map((candidate) => candidate.name).join(', ');
  throw new HarborError('client_unknown', `No program "${name}" is known here. Choose one of: ${names}.`);
}
