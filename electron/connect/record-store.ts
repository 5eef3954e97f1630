/** Records of entries, and backups of the files as they were before. */
import { hash, randomBytes } from 'node:crypto';
import { readFile, rm, stat } from 'node:fs/promises';
import path, { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { HarborError } from '../contract/errors';
import { makeOwnFolder } from '../host/data-folder';
import { makeFolders, type Owner } from '../host/file-attributes';
import { tryAcquireLock } from '../host/lock';
import { fileError, writeWhole } from './config-file';

/**
 * The file before our entry: it did not exist, or its bytes are in a backup. `madeFolder`: the outermost
 * folder created for it.
 */
const Before = z.discriminatedUnion('existed', [
  z.object({ existed: z.literal(false), madeFolder: z.string().optional() }),
  z.object({ existed: z.literal(true), sha256: z.string(), backup: z.string() }),
]);

export const InstallRecord = z.object({
  version: z.literal(2),
  client: z.string(),
  file: z.string(),
  /** Milliseconds since the epoch. */
  writtenAt: z.number(),
  /** `fingerprint` of the entry, which may contain a token. */
  entry: z.string(),
  /** SHA-256 of the file after our change. */
  after: z.string(),
  before: Before,
  /** Whether the key of the servers was created by us. */
  madeServers: z.boolean(),
});
export type InstallRecord = z.infer<typeof InstallRecord>;
export type Before = z.infer<typeof Before>;

const MODE = 0o600;

/**
 * Stores records and backups in one folder, readable by this user only, because files of other programs
 * contain secrets. A record belongs to a client and a file, because a program’s file may move
 * (CLAUDE_CONFIG_DIR) and move back.
 */
export class RecordStore {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Returns undefined if there is no record or it cannot be parsed. An undo then only removes the entry. */
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

  /** Deletes a backup after its bytes were restored. */
  async discard(before: Before): Promise<void> {
    if (before.existed) await this.#acting(() => rm(before.backup, { force: true }));
  }

  /** Stores a copy of the bytes and returns its path. */
  async backUp(client: string, bytes: Buffer): Promise<string> {
    const time = new Date().toISOString().replaceAll(':', '-');
    const path = join(this.#folder, `${client}.${time}.${randomBytes(3).toString('hex')}.backup`);
    await this.#put(path, bytes);
    return path;
  }

  /** Returns the bytes from before our entry, if the backup is intact. */
  async backedUp(before: Before): Promise<Buffer | undefined> {
    if (!before.existed) return undefined;
    const bytes = await readFile(before.backup).catch(() => undefined);
    return bytes && hash('sha256', bytes) === before.sha256 ? bytes : undefined;
  }

  #fileOf(client: string, file: string): string {
    return join(this.#folder, `${client}.${hash('sha256', file).slice(0, 12)}.json`);
  }

  async #put(file: string, bytes: Buffer): Promise<void> {
    await this.#acting((owner) => writeWhole(file, bytes, { mode: MODE, owner }));
  }

  /** @param work receives the owner of the folder */
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

const PAUSE_MS = 25;
const LIMIT_MS = 30_000;

/**
 * Runs the work while no other process edits the same file. Harbors of other data folders and commands edit
 * these files too.
 * @param folder folder of this user’s locks
 * @throws HarborError `config_unwritable` after half a minute
 */
export async function inTurnAt<T>(folder: string, file: string, work: () => Promise<T>): Promise<T> {
  makeOwnFolder(folder);
  const lockFile = path.join(folder, `connect-${hash('sha256', path.resolve(file)).slice(0, 16)}.lock`);
  const began = Date.now();
  for (;;) {
    const lock = tryAcquireLock(lockFile, { socket: '', kind: 'command' });
    if ('release' in lock) {
      try {
        return await work();
      } finally {
        lock.release();
      }
    }
    if (Date.now() - began > LIMIT_MS)
      throw new HarborError(
        'config_unwritable',
        `Another Lisp Harbor (process ${lock.pid}) has been editing ${file} for half a minute. End it and try again.`,
      );
    await delay(PAUSE_MS);
  }
}
