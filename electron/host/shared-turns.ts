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

const waiting: Work[] = [];
let scheduled = false;
let endOfTurn = 0;

/** Begins at once if this turn of the event loop has time left. */
export function takeTurns(work: Work): void {
  waiting.push(work);
  if (!scheduled) nextTurn();
  else if (performance.now() < endOfTurn) workOn();
}

function nextTurn(): void {
  endOfTurn = performance.now() + TURN_MS;
  scheduled = true;
  setImmediate(() => {
    scheduled = false;
    if (waiting.length > 0) nextTurn();
  });
  workOn();
}

function workOn(): void {
  while (performance.now() < endOfTurn) {
    const work = waiting.shift();
    if (!work) return;
    if (workFor(work, performance.now() + SLICE_MS)) waiting.push(work);
  }
}

function workFor(work: Work, until: number): boolean {
  while (work()) if (performance.now() >= until) return true;
  return false;
}
