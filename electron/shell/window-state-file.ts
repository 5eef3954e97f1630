/** Remembers a window's bounds in a small file. window-state.ts checks what it holds. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { WindowState } from './window-state';

/** Moving a window makes a hundred events a second; one write after it rests is enough. */
const REST_MS = 400;

export class WindowStateFile {
  readonly #file: string;
  #timer: NodeJS.Timeout | null = null;
  #state: WindowState | null = null;

  constructor(file: string) {
    this.#file = file;
  }

  /** What was saved last, unchecked; null on a first start or when the file cannot be read. */
  read(): unknown {
    try {
      return JSON.parse(readFileSync(this.#file, 'utf8'));
    } catch {
      return null;
    }
  }

  /** Writes the state once nothing has changed for a moment. */
  remember(state: WindowState): void {
    this.#state = state;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.flush(), REST_MS);
  }

  /** Writes now what waits. */
  flush(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    const state = this.#state;
    this.#state = null;
    if (state === null) return;
    try {
      mkdirSync(path.dirname(this.#file), { recursive: true });
      writeFileSync(`${this.#file}.new`, `${JSON.stringify(state)}\n`);
      renameSync(`${this.#file}.new`, this.#file);
    } catch {
      // The next start opens the window in the middle of the screen; nobody needs to hear of it now.
    }
  }
}
