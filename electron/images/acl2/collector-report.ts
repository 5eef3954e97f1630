/**
 * What SBCL's collector prints when it finds no memory left (gencgc.c): a table of its own and a backtrace, the last words of a
 * process that ends with them. They tell why it ended, and nobody who reads what forms print. Where one object alone was too
 * large, the table is all, and the process goes on.
 */

const BEGINNINGS = ['Heap exhausted during garbage collection:', 'Heap exhausted during allocation:'];

/** All that is printed of an object that was too large. */
const OF_AN_OBJECT =
  /^Heap exhausted during allocation: \d+ bytes available, \d+ requested\.\n(?:(?: |Tot|GC control variables:).*\n)*? +\*STOP-FOR-GC-PENDING\* = (?:true|false)\n/gm;

/** Characters that it has at most, by far. */
const LONGEST = 65_536;

export class CollectorReport {
  /** What may be its beginning, or is it with all that came after. */
  #held = '';

  /** Of what was printed next, after what was held back, that which is none of it. */
  told(text: string): string {
    const all = this.#held + text;
    const begun = beginning(all);
    this.#held = all.slice(begun);
    return all.slice(0, begun) + (this.#held.length > LONGEST ? this.wentOn() : '');
  }

  /** The process goes on after all: an object was too large, or a form printed what was held back. */
  wentOn(): string {
    const text = this.#held.replaceAll(OF_AN_OBJECT, '');
    this.#held = '';
    return text;
  }
}

/** Where it begins, or may begin at the end of the text. */
function beginning(text: string): number {
  const whole = BEGINNINGS.map((each) => text.indexOf(each)).filter((at) => at >= 0);
  if (whole.length > 0) return Math.min(...whole);
  const perhaps = (at: number) => BEGINNINGS.some((each) => each.startsWith(text.slice(at)));
  let at = Math.max(0, text.length - Math.max(...BEGINNINGS.map(({ length }) => length)));
  while (at < text.length && !perhaps(at)) at += 1;
  return at;
}
