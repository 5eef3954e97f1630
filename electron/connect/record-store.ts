/** What we wrote into other programs' files, and how they were before: the memory that makes an undo exact. */
import { randomBytes } from 'node:crypto';
import { readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolders, type Owner } from '../host/file-owner';
import { fileError } from './file-errors';
import { type Before, InstallRecord, sha256 } from './install-record';
import { writeWhole } from './write-whole';

const MODE = 0o600;

/**
 * Records and backups in one folder, readable by this user only: other programs' files hold secrets. A record
 * belongs to a client and a file, since a program's file may move (CLAUDE_CONFIG_DIR) and move back.
 */
export class RecordStore {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Undefined when there is none, or none that can be understood: an undo is then a removal of the entry. */
  async read(client: string, file: string): Promise<InstallRecord | undefined> {
    const text = await readFile(this.#fileOf(client, file), 'utf8').catch(() => '');
    const record = InstallRecord.safeParse(parseJson(text));
    return record.success ? record.data : undefined;
  }

  async write(record: InstallRecord): Promise<void> {
    const bytes = Buffer.from(`${JSON.stringify(record, null, 2)}\n`);
    await this.#put(this.#fileOf(record.client, record.file), bytes);
  }

  async forget(client: string, file: string): Promise<void> {
    await this.#acting(() => rm(this.#fileOf(client, file), { force: true }));
  }

  /** For a backup whose bytes are in the file again. */
  async discard(before: Before): Promise<void> {
    if (before.existed) await this.#acting(() => rm(before.backup, { force: true }));
  }

  /** Keeps a copy of the bytes and answers its path. */
  async backUp(client: string, bytes: Buffer): Promise<string> {
    const time = new Date().toISOString().replaceAll(':', '-');
    const path = join(this.#folder, `${client}.${time}.${randomBytes(3).toString('hex')}.backup`);
    await this.#put(path, bytes);
    return path;
  }

  /** The bytes from before our entry, if their backup is still what it was. */
  async backedUp(before: Before): Promise<Buffer | undefined> {
    if (!before.existed) return undefined;
    const bytes = await readFile(before.backup).catch(() => undefined);
    return bytes && sha256(bytes) === before.sha256 ? bytes : undefined;
  }

  #fileOf(client: string, file: string): string {
    return join(this.#folder, `${client}.${sha256(file).slice(0, 12)}.json`);
  }

  async #put(file: string, bytes: Buffer): Promise<void> {
    await this.#acting((owner) => writeWhole(file, bytes, { mode: MODE, owner }));
  }

  /** @param work gets whose folder it is */
  async #acting(work: (owner: Owner) => Promise<void>): Promise<void> {
    try {
      await makeFolders(this.#folder, 0o700);
      await work(await stat(this.#folder));
    } catch (error) {
      throw fileError(error, 'data_folder_unusable', 'written', this.#folder);
    }
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
