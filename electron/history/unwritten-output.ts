/**
 * What evaluations have printed that is not in the database: usually for a moment, and as long as nothing can be written.
 * Of one evaluation the middle is dropped here as well.
 */
import type { Stream } from '../contract/model';
import type { Chunk } from './output';

/** Characters kept at each end of an evaluation's output; at most one chunk more. */
export const KEPT_AT_EACH_END = 2 * 1024 * 1024;
export const CHUNK = 16 * 1024;
/** Characters that may wait of all evaluations together; what comes beyond is counted as dropped. */
const MOST = 16 * 1024 * 1024;

/** Text with the characters that were printed right before it and never came. */
export interface Printed {
  stream: Stream;
  text: string;
  dropped: number;
}

interface Unwritten {
  printed: Printed[];
  /** Characters of it. */
  length: number;
  /** How many of its texts are the beginning, once that is long enough. */
  head: number | null;
  /** Characters after the last of it that found no room. */
  lost: number;
}

export class UnwrittenOutput {
  readonly #of = new Map<number, Unwritten>();
  readonly #forgotten = new Set<number>();
  #size = 0;

  get isEmpty(): boolean {
    return this.#of.size === 0;
  }

  /** Characters. */
  get size(): number {
    return this.#size;
  }

  get evaluations(): Iterable<number> {
    return this.#of.keys();
  }

  add(evaluation: number, { stream, text, dropped }: Printed): void {
    if (this.#forgotten.has(evaluation)) return;
    const unwritten = this.#of.get(evaluation) ?? { printed: [], length: 0, head: null, lost: 0 };
    this.#of.set(evaluation, unwritten);
    if (this.#size + text.length > MOST) {
      unwritten.lost += dropped + text.length;
      return;
    }
    const gap = dropped + unwritten.lost;
    unwritten.lost = 0;
    const last = unwritten.printed.at(-1);
    if (last?.stream === stream && gap === 0 && last.text.length < CHUNK) last.text += text;
    else unwritten.printed.push({ stream, text, dropped: gap });
    unwritten.length += text.length;
    this.#size += text.length;
    this.#dropMiddle(unwritten);
  }

  /** All of it has been written. */
  clear(): void {
    this.#of.clear();
    this.#size = 0;
  }

  /** None of it can be written. */
  giveUp(): void {
    for (const unwritten of this.#of.values()) {
      unwritten.lost += unwritten.printed.reduce((sum, { text, dropped }) => sum + text.length + dropped, 0);
      Object.assign(unwritten, { printed: [], length: 0, head: null });
    }
    this.#size = 0;
  }

  /** Nothing of this evaluation is kept any more, nor what it prints from now on. */
  forget(evaluation: number): void {
    this.#size -= this.#of.get(evaluation)?.length ?? 0;
    this.#of.delete(evaluation);
    this.#forgotten.add(evaluation);
  }

  printed(evaluation: number): readonly Printed[] {
    return this.#of.get(evaluation)?.printed ?? [];
  }

  /** Characters that found no room after all that is here. */
  lost(evaluation: number): number {
    return this.#of.get(evaluation)?.lost ?? 0;
  }

  /** All characters that are not here. */
  dropped(evaluation: number): number {
    return this.printed(evaluation).reduce((sum, { dropped }) => sum + dropped, this.lost(evaluation));
  }

  whole(evaluation: number, whole: 'stdout' | 'stderr'): string {
    return this.printed(evaluation)
      .filter(({ stream }) => (stream === 'input' ? 'stdout' : stream) === whole)
      .map(({ text }) => text)
      .join('');
  }

  /** @param end of what was written before */
  *chunks(evaluation: number, end: number): Generator<Chunk> {
    let sequence = end;
    for (const { stream, text, dropped } of this.printed(evaluation)) {
      sequence += dropped;
      yield { sequence, stream, characters: text.length, text };
      sequence += text.length;
    }
  }

  /** Text by text, as long as both ends are whole without it. */
  #dropMiddle(unwritten: Unwritten): void {
    if (unwritten.length < 2 * KEPT_AT_EACH_END) return;
    const { printed } = unwritten;
    unwritten.head ??= headOf(printed);
    for (;;) {
      const gone = printed[unwritten.head];
      const next = printed[unwritten.head + 1];
      if (!gone || !next || unwritten.length - gone.text.length < 2 * KEPT_AT_EACH_END) return;
      printed.splice(unwritten.head, 1);
      next.dropped += gone.dropped + gone.text.length;
      unwritten.length -= gone.text.length;
      this.#size -= gone.text.length;
    }
  }
}

/** How many texts are the beginning that is kept. */
function headOf(printed: readonly Printed[]): number {
  let length = 0;
  const index = printed.findIndex(({ text }) => {
    length += text.length;
    return length >= KEPT_AT_EACH_END;
  });
  return index + 1;
}
