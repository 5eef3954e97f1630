/** Entries of the allow-list that a person made until Lisp Harbor is quit: in no file. */
import type { AllowEntry, AllowRow } from '../contract/allow-list';

export class PassingEntries {
  #entries: readonly AllowEntry[] = [];

  get all(): readonly AllowEntry[] {
    return this.#entries;
  }

  add(entry: AllowEntry): void {
    this.remove(entry);
    this.#entries = [...this.#entries, entry];
  }

  /** False where there is none for that folder and project. */
  remove({ folder, project }: Pick<AllowRow, 'folder' | 'project'>): boolean {
    const kept = this.#entries.filter((entry) => entry.folder !== folder || entry.project !== project);
    const removed = kept.length < this.#entries.length;
    this.#entries = kept;
    return removed;
  }
}
