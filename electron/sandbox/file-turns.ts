/** Work on files, one after the other on each: of two that read and write one file at once, the first would be lost. */
export class FileTurns {
  readonly #last = new Map<string, Promise<unknown>>();

  /**
   * Does `work` once all that was asked for this file before has ended, however it ended.
   * @param file its real path
   */
  async inTurn<T>(file: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(file) ?? Promise.resolve();
    const mine = before.then(work);
    const ended = mine.catch(() => undefined);
    this.#last.set(file, ended);
    try {
      return await mine;
    } finally {
      if (this.#last.get(file) === ended) this.#last.delete(file);
    }
  }
}
