/**
 * Bytes that arrive in pieces until they are whole. The pieces are copied together as they come: who sends a byte at a time
 * would otherwise have us keep an object for each.
 */
import { Buffer } from 'node:buffer';

const NONE = Buffer.alloc(0);

export class GatheredBytes {
  #bytes: Buffer = NONE;
  #size = 0;
  /** Whether there is room behind what is held, so that the buffer is ours. */
  #own = false;

  get size(): number {
    return this.#size;
  }

  add(piece: Buffer): void {
    if (this.#size === 0) {
      this.#bytes = piece;
      this.#own = false;
    } else {
      this.#makeRoom(this.#size + piece.length);
      piece.copy(this.#bytes, this.#size);
    }
    this.#size += piece.length;
  }

  /** All of it, and begins anew. */
  take(): Buffer {
    const bytes = this.#bytes.subarray(0, this.#size);
    this.clear();
    return bytes;
  }

  clear(): void {
    this.#bytes = NONE;
    this.#size = 0;
  }

  #makeRoom(size: number): void {
    if (this.#own && size <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(2 * this.#size, size));
    this.#bytes.copy(larger, 0, 0, this.#size);
    this.#bytes = larger;
    this.#own = true;
  }
}
