/** The log of each session: what became of its images, since the harbor was started, which is in the harbor's log too; and what they
 * wrote on stderr, which is not. */
import type { LogLine } from '../contract/log';
import type { SessionId, SessionView } from '../contract/model';
import type { Log } from '../host/log';
import type { SessionEvents } from './events';
import { evaluationHappening, type Happening, happenings, type Seen } from './session-happenings';
import { StderrLines } from './stderr-lines';

/** Lines of one session, and sessions; the oldest go. */
const MOST_LINES = 500;
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
      this.#add(session, [{ level: 'info', text: 'The session was ended.' }]);
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
    // Put in anew, so that the first is the one that was quiet longest.
    this.#lines.delete(session);
    this.#lines.set(session, lines.slice(-MOST_LINES));
    const [oldest] = this.#lines.keys();
    if (this.#lines.size > MOST_SESSIONS && oldest !== undefined) this.#lines.delete(oldest);
  }
}
