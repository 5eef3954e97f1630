/**
 * The log of each session since the start of the harbor: events of its images, which are also in the harbor's
 * log, and their stderr output, which is not.
 */

import type { LogLine } from '../contract/harbor-status';
import type { Evaluation, SessionId, SessionView } from '../contract/model';
import { noteTexts } from '../contract/note';
import { beginning } from '../history/long-text';
import type { Log } from '../host/log';
import type { OutputEvent, SessionEvents } from './journal';

/** Maximum lines of one session, and sessions; the oldest are dropped. */
const MAX_LINES_PER_SESSION = 500;
const MOST_SESSIONS = 500;

export class SessionLogs {
  readonly #lines = new Map<SessionId, LogLine[]>();
  readonly #seen = new Map<SessionId, Seen>();
  readonly #stderr = new StderrLines();
  readonly #log: Pick<Log, 'info' | 'warn' | 'error'>;
  readonly #clock: () => number;

  /** @param clock milliseconds since the epoch */
  constructor(
    events: SessionEvents,
    log: Pick<Log, 'info' | 'warn' | 'error'>,
    clock: () => number = Date.now,
  ) {
    this.#log = log;
    this.#clock = clock;
    events.on('changed', (view) => this.#look(view));
    events.on('output', (output) => this.#keep(output.session, this.#stderr.add(output)));
    events.on('closed', (row) => {
      this.#keep(row.session, this.#stderr.end(row.id));
      this.#add(row.session, evaluationHappening(row));
    });
    events.on('ended', (session) => {
      this.#add(session, [{ level: 'info', text: 'The session was closed.' }]);
      this.#seen.delete(session);
    });
  }

  /** Oldest first. */
  of(session: SessionId): readonly LogLine[] {
    return this.#lines.get(session) ?? [];
  }

  #look(view: SessionView): void {
    const before = this.#seen.get(view.id) ?? null;
    this.#seen.set(view.id, view);
    this.#add(view.id, happenings(before, view));
  }

  #add(session: SessionId, happened: readonly Happening[]): void {
    for (const { level, text } of happened)
      this.#log[level === 'debug' ? 'info' : level](`${session}: ${text}`);
    this.#keep(session, happened);
  }

  #keep(session: SessionId, happened: readonly Happening[]): void {
    if (happened.length === 0) return;
    const at = this.#clock();
    const lines = [...this.of(session), ...happened.map((each) => ({ ...each, at }))];
    // Reinserted, so that the first entry is the session that was quiet longest.
    this.#lines.delete(session);
    this.#lines.set(session, lines.slice(-MAX_LINES_PER_SESSION));
    const [oldest] = this.#lines.keys();
    if (this.#lines.size > MOST_SESSIONS && oldest !== undefined) this.#lines.delete(oldest);
  }
}

/** An event between two views of a session, as a sentence. */
type Happening = Omit<LogLine, 'at'>;

/** The properties of a session that its log reports. */
export type Seen = Pick<
  SessionView,
  | 'engine'
  | 'client'
  | 'state'
  | 'generation'
  | 'pid'
  | 'lostBecause'
  | 'stopping'
  | 'sandbox'
  | 'limits'
  | 'comesBack'
>;

const logged = (text: string): Happening => ({ level: 'info', text });
const warned = (text: string): Happening => ({ level: 'warn', text });

/**
 * Returns the events between two views of a session.
 * @param before null for the first view
 */
export function happenings(before: Seen | null, now: Seen): Happening[] {
  if (before === null) return [logged(begunText(now)), logged(imageText(now))];
  const isReplaced = now.generation > before.generation;
  return [
    ...(now.lostBecause !== null && now.lostBecause !== before.lostBecause
      ? [warned(`The image is gone because ${now.lostBecause}.`)]
      : []),
    ...(isReplaced
      ? [logged(`Image ${now.generation} replaced it, ${broughtBack(now)}.`), logged(imageText(now))]
      : []),
    // The pid may be known only later.
    ...(!isReplaced && before.pid === null && now.pid !== null
      ? [logged(`Its process has pid ${now.pid}.`)]
      : []),
    ...stopText(before, now),
    ...(now.state === 'debugger' && before.state !== 'debugger'
      ? [logged('An evaluation is suspended in the debugger.')]
      : []),
  ];
}

/** Returns the event of an evaluation that crashed or was stopped; none for errors in code. */
export function evaluationHappening({ id, client, outcome, condition, notes }: Evaluation): Happening[] {
  if (outcome !== 'interrupted' && outcome !== 'crashed' && outcome !== 'refused') return [];
  const why = [...(condition ? [condition.message] : []), ...noteTexts(notes)].join(' ');
  const text =
    `Evaluation ${id} of ${client} was ${outcome === 'crashed' ? 'lost in a crash' : outcome}. ${why}`.trimEnd();
  return [outcome === 'crashed' ? { level: 'error', text } : warned(text)];
}

/** A session that was asleep has had images before. */
function begunText(now: Seen): string {
  const { engine, client, generation } = now;
  if (generation > 1) return `The session of ${client} woke with image ${generation}, ${broughtBack(now)}.`;
  return `A session of ${engine} for ${client} was opened.`;
}

function imageText({ sandbox, pid, limits }: Seen): string {
  const confined = sandbox.confined ? `confined by ${sandbox.launcher}` : 'not sandboxed';
  const bounds = [
    ...(limits.heapMiB === null ? [] : [`heap ${limits.heapMiB} MiB`]),
    ...(limits.cpuSeconds === null ? [] : [`${limits.cpuSeconds} s processor time an evaluation`]),
  ];
  const parts = [confined, ...(pid === null ? [] : [`pid ${pid}`]), ...bounds];
  return `Its image is ${parts.join(', ')}.${sandbox.reason ? ` ${sandbox.reason}` : ''}`;
}

/**
 * Describes what came back. Definitions since a checkpoint may be missing; the notes of the next evaluation
 * list them.
 */
function broughtBack({ comesBack: { checkpoint, definitions } }: Seen): string {
  if (checkpoint !== null) return `with checkpoint ${checkpoint}`;
  return definitions
    ? 'with its definitions, as far as they could be evaluated again'
    : 'without earlier state';
}

const STEPS: Readonly<Record<NonNullable<Seen['stopping']>['step'], string>> = {
  abort: 'is aborted in the debugger',
  cooperative: 'is interrupted',
  insistent: 'did not stop; it is interrupted again, including its cleanup forms',
  end: 'did not stop; its image is ended',
};

function stopText(before: Seen, { stopping }: Seen): Happening[] {
  const isSame =
    before.stopping?.evaluation === stopping?.evaluation && before.stopping?.step === stopping?.step;
  if (!stopping || isSame) return [];
  const text = `Evaluation ${stopping.evaluation} ${STEPS[stopping.step]}.`;
  return [stopping.step === 'end' ? warned(text) : logged(text)];
}

/** Maximum lines of one evaluation, and characters of one line. */
const MAX_LINES_PER_EVALUATION = 40;
const LONGEST_LINE = 1_000;

interface Begun {
  /** The incomplete last line. */
  rest: string;
  lines: number;
}

export class StderrLines {
  /** By evaluation id. */
  readonly #begun = new Map<number, Begun>();

  /** Returns the completed lines. */
  add({ evaluation, stream, text }: OutputEvent): Omit<LogLine, 'at'>[] {
    if (stream !== 'stderr') return [];
    const begun = this.#begun.get(evaluation) ?? { rest: '', lines: 0 };
    this.#begun.set(evaluation, begun);
    const lines = (begun.rest + text).split('\n');
    begun.rest = beginning(lines.pop() ?? '', LONGEST_LINE);
    return this.#toLogLines(evaluation, begun, lines);
  }

  /** Returns the last line when the evaluation has ended. */
  end(evaluation: number): Omit<LogLine, 'at'>[] {
    const begun = this.#begun.get(evaluation);
    this.#begun.delete(evaluation);
    return begun ? this.#toLogLines(evaluation, begun, [begun.rest]) : [];
  }

  #toLogLines(evaluation: number, begun: Begun, lines: readonly string[]): Omit<LogLine, 'at'>[] {
    const texts = lines.map((line) => line.trimEnd()).filter((line) => line !== '');
    const room = Math.max(0, MAX_LINES_PER_EVALUATION - begun.lines);
    begun.lines += texts.length;
    const logged = texts.slice(0, room).map((line) => `stderr: ${beginning(line, LONGEST_LINE)}`);
    const isOver = room > 0 && texts.length > room;
    const more = isOver ? [`stderr: … the full text is stored with evaluation ${evaluation}`] : [];
    return [...logged, ...more].map((text) => ({ level: 'debug', text }));
  }
}
