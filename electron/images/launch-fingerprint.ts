/**
 * The project files that an image was started from: build files, source folders and archives. A file is
 * recorded before it is read, so that no change in between is missed.
 */
import { statSync } from 'node:fs';
import path from 'node:path';
import { visibleLine } from '../contract/visible-text';

const ABSENT = 'nothing';

export class LaunchFingerprint {
  readonly #project: string;
  readonly #isAllowed: (file: string) => boolean;
  readonly #snapshots = new Map<string, string>();

  /** @param isAllowed whether the project may read a file; changes of other files are not reported */
  constructor(project: string, isAllowed: (file: string) => boolean) {
    this.#project = project;
    this.#isAllowed = isAllowed;
  }

  /** Records the files. Call it before they are read. The first record of a file counts. */
  record(files: readonly string[]): void {
    for (const file of files) if (!this.#snapshots.has(file)) this.#snapshots.set(file, this.#snapshot(file));
  }

  /** Describes the first changed file, such as `deps.edn has changed`; null if none has changed. */
  get changed(): string | null {
    for (const [file, before] of this.#snapshots) {
      const now = this.#snapshot(file);
      if (now !== before) return `${this.#nameOf(file)} ${describeChange(before, now)}`;
    }
    return null;
  }

  /** Records only the existence of a folder, because its contents are read on demand. */
  #snapshot(file: string): string {
    if (!this.#isAllowed(file)) return ABSENT;
    try {
      const found = statSync(file, { bigint: true, throwIfNoEntry: false });
      if (!found) return ABSENT;
      return found.isDirectory() ? 'folder' : `${found.ino}:${found.mtimeNs}:${found.size}`;
    } catch {
      return ABSENT;
    }
  }

  #nameOf(file: string): string {
    const inside = path.relative(this.#project, file);
    return visibleLine(inside.startsWith('..') ? file : inside);
  }
}

function describeChange(before: string, now: string): string {
  if (before === ABSENT) return 'is new';
  return now === ABSENT ? 'is gone' : 'has changed';
}
