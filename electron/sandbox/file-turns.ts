/** Work on files, one after the other on each: of two that read and write one file at once, the first would be lost. */
export class FileTurns {
  readonly #last = new Map<string, Promise<unknown>>();

  /**
   * Does `work` once all that was asked for any of these files before has ended, however it ended. It takes its turn with all
   * of them at once and waits for older work only, so no two wait for each other.
   * @param files their real paths
   */
  async inTurn<T>(files: readonly string[], work: () => Promise<T>): Promise<T> {
    const mine = Promise.all(files.map((file) => this.#last.get(file))).then(work);
    const ended = mine.catch(() => undefined);
    for (const file of files) this.#last.set(file, ended);
    try {
      return await mine;
    } finally {
      for (const file of files) if (this.#last.get(file) === ended) this.#last.delete(file);
    }
  }
}
