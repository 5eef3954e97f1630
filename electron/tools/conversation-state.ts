/**
 * State of one conversation: what it has been sent about each session and evaluation, and which evaluations
 * its calls wait for.
 */
import { type Note, noteKey } from '../contract/note';

/** Maximum number of sessions remembered. Facts about an older session are sent again. */
const MAX_SESSIONS = 200;

/** Maximum number of unfinished evaluations whose reported part is remembered. */
const MAX_EVALUATIONS = 200;

/**
 * The part of an unfinished evaluation that was reported: item and character counts, and the condition that
 * suspended it.
 */
interface ReportedSoFar {
  forms: number;
  warnings: number;
  stdout: number;
  stderr: number;
  /** The output offset up to which pages were requested. */
  offset: number;
  condition: string | null;
}

const NOTHING: ReportedSoFar = { forms: 0, warnings: 0, stdout: 0, stderr: 0, offset: 0, condition: null };

export class ConversationState {
  /**
   * Whether several conversations share this connection and cannot be told apart. Results then always name
   * their session.
   */
  readonly isShared: boolean;
  readonly #sessions = new Map<string, Map<string, string>>();
  readonly #evaluations = new Map<number, ReportedSoFar>();
  readonly #forgetsAfterMs: number;
  readonly #clock: () => number;
  #lastReportAt = 0;

  /**
   * @param forgetsAfterMs silence in milliseconds after which everything is reported again, since another
   *   reader may have taken over
   * @param clock current time in milliseconds
   */
  constructor(isShared = false, forgetsAfterMs = Number.POSITIVE_INFINITY, clock = Date.now) {
    this.isShared = isShared;
    this.#forgetsAfterMs = forgetsAfterMs;
    this.#clock = clock;
  }

  /** Reports whether `text` differs from the last text reported for `subject`, and records it. */
  reportOnce(session: string, subject: string, text: string): boolean {
    this.#remember();
    const reported = this.#of(session);
    if (reported.get(subject) === text) return false;
    reported.set(subject, text);
    return true;
  }

  /**
   * Reports whether a result must name the session: it has not been named yet, or the connection is shared.
   */
  reportSessionOnce(session: string): boolean {
    return this.reportOnce(session, 'session', session) || this.isShared;
  }

  /** Returns `session HANDLE` if a result must name the session, else an empty list. */
  sessionFacts(session: string): string[] {
    return this.reportSessionOnce(session) ? [`session ${session}`] : [];
  }

  /** Reports whether to report a note about an image: once for each image, and always on a shared connection. */
  reportOfImage({ session, generation }: NonNullable<Note['image']>, note: Note): boolean {
    return this.reportOnce(session, note.kind, `${generation} ${noteKey(note)}`) || this.isShared;
  }

  /** Returns those `notes` that have not been reported for the session. */
  unreportedNotes(session: string, notes: readonly Note[]): Note[] {
    return notes.filter((note) => this.reportOnce(session, noteKey(note), ''));
  }

  /** Reports whether any part of an unfinished evaluation has been reported. */
  hasReported(evaluation: number): boolean {
    return this.soFar(evaluation) !== NOTHING;
  }

  /** Returns the reported part of an evaluation; empty on a shared connection. */
  soFar(evaluation: number): ReportedSoFar {
    this.#remember();
    return this.#evaluations.get(evaluation) ?? NOTHING;
  }

  /**
   * Records the reported part of an evaluation.
   * @param soFar null: its end was reported; a later request gets everything again
   */
  record(evaluation: number, soFar: ReportedSoFar | null): void {
    this.#evaluations.delete(evaluation);
    if (soFar === null || this.isShared) return;
    this.#evaluations.set(evaluation, soFar);
    const [oldest] = this.#evaluations.keys();
    if (this.#evaluations.size > MAX_EVALUATIONS && oldest !== undefined) this.#evaluations.delete(oldest);
  }

  /** Forgets what was reported about an evaluation and its session, because the result was not delivered. */
  forget(evaluation: number, session: string): void {
    this.#evaluations.delete(evaluation);
    this.#sessions.delete(session);
  }

  /** Clears the state after too long a silence. */
  #remember(): void {
    const now = this.#clock();
    if (now - this.#lastReportAt > this.#forgetsAfterMs) {
      this.#sessions.clear();
      this.#evaluations.clear();
    }
    this.#lastReportAt = now;
  }

  #of(session: string): Map<string, string> {
    const reported = this.#sessions.get(session) ?? new Map<string, string>();
    this.#sessions.delete(session);
    this.#sessions.set(session, reported);
    const [oldest] = this.#sessions.keys();
    if (this.#sessions.size > MAX_SESSIONS && oldest !== undefined) this.#sessions.delete(oldest);
    return reported;
  }
}

// Deadlines of the calls of a conversation, by the evaluation that each waits for. A model that makes several
// calls at once continues when all are answered, so answering one early because another still runs would only
// cost it a further call.

/** Maximum time between the first and the last call of one turn, in milliseconds. */
const ONE_TURN_MS = 1_000;

interface Wait {
  evaluation: number;
  since: number;
  until: number;
}

export class TurnDeadlines {
  /** Whether several conversations make the calls. Calls of different turns are then told apart by time. */
  readonly #isShared: boolean;
  readonly #waits = new Set<Wait>();

  constructor(isShared = false) {
    this.#isShared = isShared;
  }

  /**
   * Registers that a call waits up to `milliseconds` for an evaluation. Infinity means that the call has been
   * answered and is not counted.
   * Returns a function that ends the registration.
   */
  add(evaluation: number, milliseconds: number): () => void {
    if (milliseconds === Number.POSITIVE_INFINITY) return () => undefined;
    const since = performance.now();
    const wait = { evaluation, since, until: since + milliseconds };
    this.#waits.add(wait);
    return () => this.#waits.delete(wait);
  }

  /**
   * Returns the milliseconds until the last call that waits for one of the evaluations is answered; null if
   * any of the evaluations has no call that waits for it.
   */
  longest(evaluations: readonly number[]): number | null {
    const now = performance.now();
    const ends = evaluations.map((evaluation) => this.#until(evaluation, now));
    return ends.includes(null) ? null : Math.max(...ends.map(Number)) - now;
  }

  #until(evaluation: number, now: number): number | null {
    const waits = [...this.#waits].filter(
      (wait) => wait.evaluation === evaluation && !(this.#isShared && now - wait.since > ONE_TURN_MS),
    );
    return waits.length === 0 ? null : Math.max(...waits.map(({ until }) => until));
  }
}
