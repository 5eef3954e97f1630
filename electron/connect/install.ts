/** Connects other programs to this harbor: writes their configuration, remembers how it was, and undoes it. */
import { access, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { HarborError } from '../contract/errors';
import type { ConnectPreview, ConnectView } from '../contract/model';
import { type ClientProgram, type ComputerFacts, type Place, packagesFolder } from './client-program';
import { deleteFile, readSnapshot, replaceFile } from './config-file';
import { unifiedDiff, viewOf, viewOfUnreadable } from './explain';
import { type Before, type InstallRecord, sha256 } from './install-record';
import { RecordStore } from './record-store';
import {
  isAsWritten,
  isFreeOfEntry,
  type Reading,
  readingOf,
  type Site,
  targetOf,
  withEntry,
  withoutEntry,
} from './site';
import type { StdioCommand } from './stdio-command';
import { CLIENT_PROGRAMS } from './table';

export interface ConnectOptions {
  /** Where records and backups are kept. */
  folder: string;
  environment: Omit<ComputerFacts, 'packages'>;
  /** The command that the client of this name shall run. */
  stdioCommand(client: string): StdioCommand;
}

/** Every method waits for the one before, so that no two edits of ours meet in a file. */
export class Connect {
  readonly #options: ConnectOptions;
  readonly #records: RecordStore;
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: ConnectOptions) {
    this.#options = options;
    this.#records = new RecordStore(options.folder);
  }

  /** All programs of the table, whether they are installed or not. */
  list(): Promise<ConnectView[]> {
    return this.#inTurn(() => Promise.all(CLIENT_PROGRAMS.map((program) => this.#view(program))));
  }

  /** What `add` or `remove` would do; refuses as they would. */
  preview(name: string, action: 'add' | 'remove'): Promise<ConnectPreview> {
    return this.#inTurn(async () => {
      const reading = await this.#read(programNamed(name));
      const after = action === 'add' ? withEntry(reading) : (await this.#undo(reading)).bytes;
      const { file } = reading.place;
      return { file, diff: unifiedDiff(file, reading.snapshot.bytes, after) };
    });
  }

  /**
   * Writes our entry, or refreshes it; an entry that is right is left alone. HarborError `client_unknown`,
   * `config_unreadable`, `config_foreign`, `config_unwritable`, `data_folder_unusable`: the file is then as it was.
   */
  add(name: string): Promise<ConnectView> {
    return this.#inTurn(async () => {
      const program = programNamed(name);
      const reading = await this.#read(program);
      const bytes = withEntry(reading);
      if (!reading.snapshot.bytes?.equals(bytes)) await this.#write(reading, bytes);
      return this.#view(program);
    });
  }

  /**
   * Takes our entry out. A file that nobody touched since gets its old bytes back, or is deleted when there was
   * none; from any other only the entry is cut. Refuses like `add`.
   */
  remove(name: string): Promise<ConnectView> {
    return this.#inTurn(async () => {
      const program = programNamed(name);
      const reading = await this.#read(program);
      if (reading.entry !== undefined) await this.#takeOut(reading);
      await this.#records.forget(program.name, reading.place.file);
      return this.#view(program);
    });
  }

  /** The record comes first: one that did not come true is taken back, and an entry without one would lose its undo. */
  async #write(reading: Reading, bytes: Buffer): Promise<void> {
    const { place, program, record, snapshot, wanted } = reading;
    const origin = await this.#origin(reading);
    try {
      await this.#records.write({
        version: 1,
        client: program.name,
        file: place.file,
        writtenAt: Date.now(),
        entry: program.shape.write(wanted),
        after: sha256(bytes),
        ...origin,
      });
      await replaceFile(snapshot, bytes);
    } catch (error) {
      await (record ? this.#records.write(record) : this.#records.forget(program.name, place.file));
      if (origin.before !== record?.before) await this.#records.discard(origin.before);
      throw error;
    }
  }

  /** How the file was before our entry: what the record says when it is as we left it, else what it is now. */
  async #origin(reading: Reading): Promise<Pick<InstallRecord, 'before' | 'madeServers'>> {
    const { entry, program, record, snapshot, text } = reading;
    if (record && isAsWritten(reading)) return { before: record.before, madeServers: record.madeServers };
    const { bytes, missingFolder } = snapshot;
    const before: Before = bytes
      ? { existed: true, sha256: sha256(bytes), backup: await this.#records.backUp(program.name, bytes) }
      : { existed: false, ...(missingFolder !== undefined && { madeFolder: missingFolder }) };
    const madeServers =
      entry === undefined
        ? !program.format.hasServers(text, targetOf(reading))
        : (record?.madeServers ?? false);
    return { before, madeServers };
  }

  async #takeOut(reading: Reading): Promise<void> {
    const { program, record, snapshot } = reading;
    const { bytes, exact } = await this.#undo(reading);
    if (!exact && snapshot.bytes) await this.#records.backUp(program.name, snapshot.bytes);
    if (bytes) await replaceFile(snapshot, bytes);
    else await deleteFile(snapshot, record?.before.existed === false ? record.before.madeFolder : undefined);
    if (exact && record) await this.#records.discard(record.before);
  }

  /** The file without our entry; `exact` when these are the bytes (or the absence) from before we came. */
  async #undo(reading: Reading): Promise<{ bytes: Buffer | null; exact: boolean }> {
    const { record } = reading;
    if (record && isAsWritten(reading)) {
      if (!record.before.existed) return { bytes: null, exact: true };
      const bytes = await this.#records.backedUp(record.before);
      if (bytes && isFreeOfEntry(reading, bytes)) return { bytes, exact: true };
    }
    return { bytes: withoutEntry(reading), exact: false };
  }

  async #view(program: ClientProgram): Promise<ConnectView> {
    const { platform } = this.#options.environment;
    const site = await this.#site(program, await this.#place(program));
    try {
      return viewOf(readingOf(site, await readSnapshot(site.place.file)), platform);
    } catch (error) {
      if (!(error instanceof HarborError) || error.code !== 'config_unreadable') throw error;
      return viewOfUnreadable(site, platform, error.message);
    }
  }

  /** The snapshot is taken before anything else is asked for, so that a change in between is noticed. */
  async #read(program: ClientProgram): Promise<Reading> {
    const located = await this.#place(program);
    const snapshot = await readSnapshot(located.place.file);
    return readingOf(await this.#site(program, located), snapshot);
  }

  async #site(program: ClientProgram, located: Pick<Site, 'place' | 'evident'>): Promise<Site> {
    const record = await this.#records.read(program.name, located.place.file);
    return { program, ...located, wanted: this.#options.stdioCommand(program.name), record };
  }

  async #place(program: ClientProgram): Promise<Pick<Site, 'place' | 'evident'>> {
    const { environment } = this.#options;
    const packages = environment.platform === 'win32' ? await foldersIn(packagesFolder(environment)) : [];
    const { special, usual } = program.places({ ...environment, packages });
    for (const place of [...special, usual]) if (await isEvident(place)) return { place, evident: true };
    return { place: usual, evident: false };
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => undefined);
    return result;
  }
}

function programNamed(name: string): ClientProgram {
  const program = CLIENT_PROGRAMS.find((candidate) => candidate.name === name);
  if (program) return program;
  const names = CLIENT_PROGRAMS.map((candidate) => candidate.name).join(', ');
  throw new HarborError('client_unknown', `No program "${name}" is known here. Choose one of: ${names}.`);
}

async function isEvident(place: Place): Promise<boolean> {
  const found = await Promise.all(
    place.evidence.map((path) =>
      access(path).then(
        () => true,
        () => false,
      ),
    ),
  );
  return found.includes(true);
}

/** Names, the one last changed first; none where there is no such folder. */
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
