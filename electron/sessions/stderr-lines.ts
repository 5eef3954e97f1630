/** What images write on stderr, as lines for the logs of their sessions: a few of each evaluation, so that a flood leaves room. */
import type { LogLine } from '../contract/log';
import { beginning } from '../history/cut-text';
import type { OutputEvent } from './events';

/** Lines of one evaluation, and characters of one line. */
const MOST_LINES = 40;
const LONGEST_LINE = 1_000;

interface Begun {
  /** What has no end of line yet. */
  rest: string;
  lines: number;
}

export class StderrLines {
  /** By evaluation. */
  readonly #begun = new Map<number, Begun>();

  /** The lines that have come to their end. */
  add({ evaluation, stream, text }: OutputEvent): Omit<LogLine, 'at'>[] {
    if (stream !== 'stderr') return [];
    const begun = this.#begun.get(evaluation) ?? { rest: '', lines: 0 };
    this.#begun.set(evaluation, begun);
    const lines = (begun.rest + text).split('\n');
    begun.rest = beginning(lines.pop() ?? '', LONGEST_LINE);
    return this.#told(evaluation, begun, lines);
  }

  /** The evaluation has ended: its last line has too. */
  end(evaluation: number): Omit<LogLine, 'at'>[] {
    const begun = this.#begun.get(evaluation);
    this.#begun.delete(evaluation);
    return begun ? this.#told(evaluation, begun, [begun.rest]) : [];
  }

  #told(evaluation: number, begun: Begun, lines: readonly string[]): Omit<LogLine, 'at'>[] {
    const said = lines.map((line) => line.trimEnd()).filter((line) => line !== '');
    const room = Math.max(0, MOST_LINES - begun.lines);
    begun.lines += said.length;
    const told = said.slice(0, room).map((line) => `stderr: ${beginning(line, LONGEST_LINE)}`);
    const isOver = room > 0 && said.length > room;
    const more = isOver ? [`stderr: … all of it is with evaluation ${evaluation}`] : [];
    return [...told, ...more].map((text) => ({ level: 'debug', text }));
  }
}
