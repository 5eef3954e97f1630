/** Writes to an xterm, and tells when it has taken in what was written: at the latest when the xterm is gone. */
import type { Terminal } from '@xterm/xterm';

export class TerminalWriter {
  readonly #terminal: Pick<Terminal, 'write'>;
  readonly #onTaken: () => void;
  readonly #waiting = new Set<() => void>();
  #gone = false;

  /** @param onTaken is told each time, before who waits for it */
  constructor(terminal: Pick<Terminal, 'write'>, onTaken: () => void = () => undefined) {
    this.#terminal = terminal;
    this.#onTaken = onTaken;
  }

  write(text: string): Promise<void> {
    if (this.#gone) return Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.add(resolve);
    this.#terminal.write(text, () => {
      this.#waiting.delete(resolve);
      if (!this.#gone) this.#onTaken();
      resolve();
    });
    return promise;
  }

  /** The xterm is about to go: it says nothing more of what it has not taken in. */
  end(): void {
    this.#gone = true;
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }
}
