/** Puts a whole file in place, at once or not at all: readers see what was there, or what is there now. */
import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { link, rename } from 'node:fs/promises';
import { giveTo, type Owner } from '../host/file-owner';
import { systemCode } from './file-refusals';
import type { OpenedFolder } from './opened-folder';

const NEW_FILE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;

/** What stays of a file that is replaced. */
export interface Replaced {
  /** Its permissions. */
  mode: number;
  owner: Owner;
}

/**
 * A whole file that lies beside the place which it is to take: whoever has one needs no more room to put it there. Other names
 * of the file that it replaces (hard links) then are names of that one only.
 */
export class Draft {
  readonly #folder: OpenedFolder;
  readonly #file: string;
  readonly #name: string;

  private constructor(folder: OpenedFolder, file: string, name: string) {
    this.#folder = folder;
    this.#file = file;
    this.#name = name;
  }

  /**
   * @param current the file that it is to replace; null for a new one
   * @throws the system's error; then nothing is left of it
   */
  static async write(
    folder: OpenedFolder,
    name: string,
    bytes: Uint8Array,
    current: Replaced | null,
  ): Promise<Draft> {
    const file = `.${name.slice(0, 100)}.${randomBytes(6).toString('hex')}.draft`;
    await writeDraft(folder, file, bytes, current);
    return new Draft(folder, file, name);
  }

  /** Takes the place of what is there. */
  async replace(): Promise<void> {
    await rename(this.#folder.at(this.#file), this.#folder.at(this.#name));
  }

  /** @throws EEXIST where the name is taken */
  async appear(): Promise<void> {
    await nameAnew(this.#folder, this.#file, this.#name);
  }

  /** Whatever became of it, nothing of it lies beside the file any more. */
  async clear(): Promise<void> {
    await this.#folder.remove(this.#file).catch(() => undefined);
  }
}

/**
 * @param current the file that is replaced; null for a new one, which must not be there
 * @throws the system's error; EEXIST for a new file whose name is taken
 */
export async function putFile(
  folder: OpenedFolder,
  name: string,
  bytes: Uint8Array,
  current: Replaced | null,
): Promise<void> {
  const draft = await Draft.write(folder, name, bytes, current);
  await (current === null ? draft.appear() : draft.replace()).finally(() => draft.clear());
}

async function writeDraft(
  folder: OpenedFolder,
  draft: string,
  bytes: Uint8Array,
  current: Replaced | null,
): Promise<void> {
  const handle = await folder.file(draft, NEW_FILE);
  try {
    await handle.writeFile(bytes);
    await giveTo(current?.owner ?? (await folder.owner()), handle);
    // After that, which takes bits away.
    if (current) await handle.chmod(current.mode);
    await handle.sync();
  } catch (error) {
    await folder.remove(draft).catch(() => undefined);
    throw error;
  } finally {
    await handle.close();
  }
}

/** A link never replaces what is there, which a rename would. */
async function nameAnew(folder: OpenedFolder, draft: string, name: string): Promise<void> {
  try {
    await link(folder.at(draft), folder.at(name));
  } catch (error) {
    // Some file systems, such as FAT, know no hard links.
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes(systemCode(error) ?? '')) throw error;
    const taken = await folder.file(name, NEW_FILE);
    await taken.close();
    await rename(folder.at(draft), folder.at(name));
  }
}
