/**
 * The files of the user’s project as the editor has them: unsaved texts, and the disk for all others. They are read in the
 * editor’s process, which runs as the user.
 */
import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { HarborError } from '../../contract/errors';
import { dialectOfFile } from '../../source/dialect';
import type { DirectoryEntry, FileBytes, ReadableFiles } from '../../source/files';
import { LARGEST_FILE, textOf } from '../../source/text';
import { LispText } from '../lisp-text';

const MOST_ENTRIES = 10_000;

export class ProjectFiles implements ReadableFiles {
  readonly #open: (path: string) => LispText | null;

  /** @param open returns the text of a file that is open in the editor */
  constructor(open: (path: string) => LispText | null) {
    this.#open = open;
  }

  /** Returns the text of a Lisp file; null if it cannot be read. */
  async text(file: string): Promise<LispText | null> {
    const open = this.#open(file);
    if (open) return open;
    // The name may come from an image.
    if (dialectOfFile(file) === null) return null;
    const bytes = await this.#bytes(file);
    const text = bytes && textOf(bytes.bytes)?.text;
    return text == null ? null : LispText.ofFile(file, text);
  }

  async read(project: string, file: string): Promise<FileBytes> {
    const absolute = path.resolve(project, file);
    const read = await this.#bytes(absolute);
    if (read) return read;
    throw new HarborError('file_missing', `${absolute} cannot be read.`);
  }

  async *readEach(_project: string, folder: string, names: readonly string[]): AsyncGenerator<FileBytes> {
    for (const name of names) {
      const read = await this.#bytes(path.join(folder, name));
      if (read) yield read;
    }
  }

  async list(project: string, folder: string) {
    const real = await realpath(path.resolve(project, folder)).catch(() => path.resolve(project, folder));
    const found = await readdir(real, { withFileTypes: true }).catch(() => null);
    if (found === null) throw new HarborError('not_a_file', `${real} is not a folder.`);
    const entries = found.slice(0, MOST_ENTRIES).flatMap((entry): DirectoryEntry[] => {
      if (entry.isDirectory()) return [{ name: entry.name, type: 'directory' }];
      return entry.isFile() ? [{ name: entry.name, type: 'file' }] : [];
    });
    return { path: real, entries, complete: found.length <= MOST_ENTRIES };
  }

  /** Returns null for what is no file, or too large to be source. `hash` changes with the content. */
  async #bytes(file: string): Promise<FileBytes | null> {
    const open = this.#open(file);
    if (open) return { path: file, bytes: Buffer.from(open.text), hash: `version ${open.document.version}` };
    try {
      const status = await stat(file);
      if (!status.isFile() || status.size > LARGEST_FILE) return null;
      return { path: file, bytes: await readFile(file), hash: `${status.mtimeMs} ${status.size}` };
    } catch {
      return null;
    }
  }
}
