/** Writes a file whole or not at all: a reader sees the old bytes or the new ones, also after a power cut. */
import { randomBytes } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { giveTo, type Owner } from '../host/file-owner';

interface Rights {
  mode: number;
  owner: Owner;
}

/**
 * Puts `bytes` at `path` with these permission bits and this owner. `beforeReplacing` runs when all is on the disk but the name;
 * when it throws, the file stays as it was. Throws the system's errors and leaves no draft behind.
 */
export async function writeWhole(
  path: string,
  bytes: Buffer,
  rights: Rights,
  beforeReplacing?: () => Promise<void>,
): Promise<void> {
  const draft = join(dirname(path), `.${basename(path)}.${randomBytes(6).toString('hex')}.tmp`);
  try {
    await writeThrough(draft, bytes, rights);
    await beforeReplacing?.();
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/** The bytes reach the disk before the name does, or a power cut could leave an empty file under it. */
async function writeThrough(file: string, bytes: Buffer, { mode, owner }: Rights): Promise<void> {
  const handle = await open(file, 'wx', mode);
  try {
    await handle.writeFile(bytes);
    // The process's umask may have taken bits away when the file was made.
    await giveTo(owner, handle);
    await handle.chmod(mode);
    await handle.sync();
  } finally {
    await handle.close();
  }
}
