/**
 * Work that comes in pieces, such as reading what images say: a few milliseconds of it in each turn of the event loop, for
 * all who have some together and each in turn. So a flood from one of them delays nobody else for longer than that.
 */

/** Milliseconds in each turn of the event loop. */
const TURN_MS = 10;

/** Milliseconds after which the next one has its turn. */
const SLICE_MS = 2;

/** Does one small piece; false when there is nothing to do any more. Never throws. */
export type Work = () => boolean;

class SharedTurns {
  readonly #waiting: Work[] = [];
  #scheduled = false;
  #endOfTurn = 0;

  take(work: Work): void {
    this.#waiting.push(work);
    if (!this.#scheduled) this.#nextTurn();
    else if (performance.now() < this.#endOfTurn) this.#workOn();
  }

  #nextTurn(): void {
    this.#endOfTurn = performance.now() + TURN_MS;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      if (this.#waiting.length > 0) this.#nextTurn();
    });
    this.#workOn();
  }

  #workOn(): void {
    while (performance.now() < this.#endOfTurn) {
      const work = this.#waiting.shift();
      if (!work) return;
      if (workFor(work, performance.now() + SLICE_MS)) this.#waiting.push(work);
    }
  }
}

const turns = new SharedTurns();

/** Begins at once if this turn of the event loop has time left. */
export function takeTurns(work: Work): void {
  turns.take(work);
}

function workFor(work: Work, until: number): boolean {
  while (work()) if (performance.now() >= until) return true;
  return false;
}
