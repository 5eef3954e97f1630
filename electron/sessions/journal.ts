/** Records the events of sessions in the history and emits them. An error here never affects a session. */

import { EventEmitter } from 'node:events';
import { asFailure } from '../contract/errors';
import type { Evaluation, SessionId, SessionView, Stream } from '../contract/model';
import { note } from '../contract/note';
import { openRow } from '../history/evaluations';
import type { History } from '../history/history';
import { RedactedOutput } from '../history/redaction';
import type { Log } from '../host/log';
import type { ReplayEntry, SuspendedEvaluation } from '../images/optional-groups';
import type { Lineage } from './recovery/lineage';
import type { SavedSessions } from './recovery/sleeping-sessions';
import type {
  ClosedEvaluation,
  EvaluationRequest,
  Journal,
  RecordedSession,
  SessionIdentity,
} from './session/session-journal';

type RecordingHistory = Pick<History, 'evaluations' | 'replays' | 'redaction'>;

export class HistoryJournal implements Journal {
  readonly #history: RecordingHistory;
  readonly #saved: SavedSessions;
  readonly #events: SessionEvents;
  readonly #log: Log;
  /** Output of open evaluations that redaction still holds back. */
  readonly #printing = new Map<number, RedactedOutput>();

  constructor(history: RecordingHistory, saved: SavedSessions, events: SessionEvents, log: Log) {
    this.#history = history;
    this.#saved = saved;
    this.#events = events;
    this.#log = log;
  }

  open(session: RecordedSession, request: EvaluationRequest): Evaluation {
    const { id: sessionId, engine, project } = session.identity;
    const opened = {
      kind: request.kind,
      ...(request.parent === undefined ? {} : { parent: request.parent }),
      session: sessionId,
      engine,
      client: request.client,
      project,
      package: request.package ?? session.package,
      code: this.#history.redaction.text(request.code),
      startedAt: Date.now(),
      ...(request.grant?.trace && { trace: request.grant.trace }),
    };
    const row = openRow(this.#history.evaluations.open(opened), opened);
    this.#printing.set(row.id, new RedactedOutput(this.#history.redaction));
    this.#guard(() => this.#events.emit('opened', row));
    return row;
  }

  output(row: Evaluation, stream: Stream, text: string, dropped: number): void {
    // Output before a gap is not continued after it.
    if (dropped > 0) this.#flushOutput(row);
    // Output after the end is emitted at once.
    const redacted = this.#printing.get(row.id)?.add(stream, text) ?? this.#history.redaction.text(text);
    if (redacted !== '' || dropped > 0) this.#emitOutput(row, stream, redacted, dropped);
  }

  /** Emits all output that was held back. */
  #flushOutput(row: Evaluation): void {
    for (const [stream, text] of this.#printing.get(row.id)?.rest() ?? [])
      this.#emitOutput(row, stream, text, 0);
  }

  #emitOutput({ id, session }: Evaluation, stream: Stream, text: string, dropped: number): void {
    this.#history.evaluations.appendOutput(id, stream, text, dropped);
    const redacted = dropped === 0 ? text : `\n… ${dropped} characters were dropped …\n${text}`;
    this.#guard(() => this.#events.emit('output', { evaluation: id, session, stream, text: redacted }));
  }

  began({ id, package: requested }: Evaluation, packageName: string): void {
    if (packageName !== requested) this.#guard(() => this.#history.replays.began(id, packageName));
  }

  replayEntries({ stretches }: Lineage): ReplayEntry[] {
    let entries: ReplayEntry[] = [];
    this.#guard(() => {
      entries = stretches.flatMap((stretch) => this.#history.replays.entries(stretch));
    });
    return entries;
  }

  suspended(opened: Evaluation, redacted: SuspendedEvaluation): void {
    this.#flushOutput(opened);
    const suspension = this.#history.redaction.data(redacted);
    this.#guard(() => this.#history.evaluations.suspend(opened.id, suspension));
    this.#guard(() => this.#events.emit('suspended', { ...opened, ...suspension, outcome: 'debugger' }));
  }

  resumed(opened: Evaluation): void {
    this.#guard(() => this.#history.evaluations.resume(opened.id));
    this.#guard(() => this.#events.emit('wentOn', opened));
  }

  close(opened: Evaluation, closed: ClosedEvaluation): Evaluation {
    this.#flushOutput(opened);
    this.#printing.delete(opened.id);
    const row = this.#write(opened, this.#history.redaction.data(closed));
    this.#guard(() => this.#events.emit('closed', row));
    return row;
  }

  /** The session can be used. */
  begun(session: RecordedSession): void {
    this.#guard(() => this.#events.emit('begun', session.identity));
    this.changed(session);
  }

  /** Writes the state from which the session comes back after a crash, if it has changed. */
  save(session: RecordedSession): void {
    this.#guard(() => this.#saved.changed(session));
  }

  changed(session: RecordedSession): void {
    this.save(session);
    if (this.#events.listenerCount('changed') === 0) return;
    this.#guard(() => this.#events.emit('changed', session.view()));
  }

  failed(error: unknown): void {
    this.#log.error('A session could not finish its own work', error);
  }

  /** The session is closed for good. Never throws. */
  ended(identity: SessionIdentity): void {
    this.#guard(() => this.#saved.end(identity.id));
    this.#guard(() => this.#events.emit('ended', identity.id, identity));
  }

  /** Closes the row. If that fails, the caller still gets its outcome. */
  #write(opened: Evaluation, closed: ClosedEvaluation): Evaluation {
    try {
      return this.#history.evaluations.close(opened.id, closed);
    } catch (error) {
      this.#log.error(`Evaluation ${opened.id} could not be closed in the history`, error);
      const lost = note(
        'history',
        `This outcome and its output could not be written to the history: ${asFailure(error).message}`,
      );
      return { ...opened, ...closed, notes: [...closed.notes, lost] };
    }
  }

  /** Logs an error of `work` instead of throwing it. */
  #guard(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#log.error('An event of a session could not be recorded or emitted', error);
    }
  }
}

/** A piece of output. `SessionEvents` emits it to the window, to waiting callers and to listeners. */
export interface OutputEvent {
  evaluation: number;
  session: SessionId;
  stream: Stream;
  text: string;
}

interface SessionEventMap {
  /** A session was opened. */
  begun: [identity: SessionIdentity];
  /** Progress while a session is being opened. */
  opening: [doing: string];
  changed: [session: SessionView];
  ended: [session: SessionId, identity: SessionIdentity];
  opened: [evaluation: Evaluation];
  output: [output: OutputEvent];
  /** Suspended in the debugger; the row has no output. */
  suspended: [evaluation: Evaluation];
  /** Resumed; the row as it was opened. */
  wentOn: [evaluation: Evaluation];
  closed: [evaluation: Evaluation];
  /** The list of checkpoints has changed. */
  checkpoints: [];
}

export class SessionEvents extends EventEmitter<SessionEventMap> {
  constructor() {
    super();
    // Every connection and listener subscribes, so many listeners are no leak.
    this.setMaxListeners(0);
  }
}
