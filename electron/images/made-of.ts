/**
 * What of a project's files an image was started from: build files, and which folders and archives there were. They are
 * looked at before they are read, so that no change between the two is missed.
 */
import { statSync } from 'node:fs';
import path from 'node:path';
import { visibleLine } from '../contract/visible-text';

const NOTHING_THERE = 'nothing';

export class MadeOf {
  readonly #project: string;
  readonly #isAllowed: (file: string) => boolean;
  readonly #looks = new Map<string, string>();

  /** @param isAllowed whether the project may know what is there: of the rest no change is told */
  constructor(project: string, isAllowed: (file: string) => boolean) {
    this.#project = project;
    this.#isAllowed = isAllowed;
  }

  /** Before they are read. Of a file that is read twice the first look counts. */
  note(files: readonly string[]): void {
    for (const file of files) if (!this.#looks.has(file)) this.#looks.set(file, this.#look(file));
  }

  /** Which of them is not what it was, and how, such as `deps.edn has changed`; null while all are. */
  get changed(): string | null {
    for (const [file, before] of this.#looks) {
      const now = this.#look(file);
      if (now !== before) return `${this.#nameOf(file)} ${how(before, now)}`;
    }
    return null;
  }

  /** What a folder holds is read whenever it is asked for, so only that it is there counts. */
  #look(file: string): string {
    if (!this.#isAllowed(file)) return NOTHING_THERE;
    try {
      const found = statSync(file, { bigint: true, throwIfNoEntry: false });
      if (!found) return NOTHING_THERE;
      return found.isDirectory() ? 'folder' : `${found.ino}:${found.mtimeNs}:${found.size}`;
    } catch {
      return NOTHING_THERE;
    }
  }

  #nameOf(file: string): string {
    const inside = path.relative(this.#project, file);
    return visibleLine(inside.startsWith('..') ? file : inside);
  }
}

function how(before: string, now: string): string {
  if (before === NOTHING_THERE) return 'is new';
  return now === NOTHING_THERE ? 'is gone' : 'has changed';
}
