/** Writes what happens in sessions into the history and tells it to whoever watches. No defect there harms a session. */
import { asFailure } from '../contract/errors';
import type { Evaluation, Stream } from '../contract/model';
import { openRow } from '../history/evaluations';
import type { History } from '../history/history';
import { RedactedOutput } from '../history/redaction';
import type { Log } from '../host/log';
import type { ReplayEntry } from '../images/checkpoints';
import type { HeldEvaluation } from '../images/optional-groups';
import type { SessionEvents } from './events';
import type { KeptSessions } from './recovery/kept-sessions';
import type { Lineage } from './recovery/lineage';
import type { ClosedEvaluation, EvaluationRequest, SessionIdentity } from './session/evaluation-request';
import type { Journal, Recorded } from './session/session-journal';

type RecordingHistory = Pick<History, 'evaluations' | 'replays' | 'redaction'>;

export class HistoryJournal implements Journal {
  readonly #history: RecordingHistory;
  readonly #kept: KeptSessions;
  readonly #events: SessionEvents;
  readonly #log: Log;
  /** Of evaluations that have not ended. */
  readonly #printing = new Map<number, RedactedOutput>();

  constructor(history: RecordingHistory, kept: KeptSessions, events: SessionEvents, log: Log) {
    this.#history = history;
    this.#kept = kept;
    this.#events = events;
    this.#log = log;
  }

  open(session: Recorded, request: EvaluationRequest): Evaluation {
    const { id: sessionId, engine, project } = session.identity;
    const opened = {
      kind: request.kind,
      session: sessionId,
      engine,
      client: request.client,
      project,
      package: request.package ?? session.package,
      code: this.#history.redaction.text(request.code),
      startedAt: Date.now(),
    };
    const row = openRow(this.#history.evaluations.open(opened), opened);
    this.#printing.set(row.id, new RedactedOutput(this.#history.redaction));
    this.#guard(() => this.#events.emit('opened', row));
    return row;
  }

  output(row: Evaluation, stream: Stream, text: string, dropped: number): void {
    // What was printed before a gap does not go on behind it.
    if (dropped > 0) this.#tellRest(row);
    // What comes after the end waits for nothing.
    const told = this.#printing.get(row.id)?.add(stream, text) ?? this.#history.redaction.text(text);
    if (told !== '' || dropped > 0) this.#tell(row, stream, told, dropped);
  }

  /** All that has been printed and was waited with. */
  #tellRest(row: Evaluation): void {
    for (const [stream, text] of this.#printing.get(row.id)?.rest() ?? []) this.#tell(row, stream, text, 0);
  }

  #tell({ id, session }: Evaluation, stream: Stream, text: string, dropped: number): void {
    this.#history.evaluations.appendOutput(id, stream, text, dropped);
    const told = dropped === 0 ? text : `\n… ${dropped} characters were not kept …\n${text}`;
    this.#guard(() => this.#events.emit('output', { evaluation: id, session, stream, text: told }));
  }

  began({ id, package: asked }: Evaluation, packageName: string): void {
    if (packageName !== asked) this.#guard(() => this.#history.replays.began(id, packageName));
  }

  recall({ stretches }: Lineage): ReplayEntry[] {
    let entries: ReplayEntry[] = [];
    this.#guard(() => {
      entries = stretches.flatMap((stretch) => this.#history.replays.entries(stretch));
    });
    return entries;
  }

  held(opened: Evaluation, told: HeldEvaluation): void {
    this.#tellRest(opened);
    const held = this.#history.redaction.data(told);
    this.#guard(() => this.#history.evaluations.hold(opened.id, held));
    this.#guard(() => this.#events.emit('held', { ...opened, ...held, outcome: 'debugger' }));
  }

  wentOn(opened: Evaluation): void {
    this.#guard(() => this.#history.evaluations.resume(opened.id));
    this.#guard(() => this.#events.emit('wentOn', opened));
  }

  close(opened: Evaluation, closed: ClosedEvaluation): Evaluation {
    this.#tellRest(opened);
    this.#printing.delete(opened.id);
    const row = this.#write(opened, this.#history.redaction.data(closed));
    this.#guard(() => this.#events.emit('closed', row));
    return row;
  }

  /** The session can be used from now on. */
  begun(session: Recorded): void {
    this.#guard(() => this.#events.emit('begun', session.identity));
    this.changed(session);
  }

  changed(session: Recorded): void {
    this.#guard(() => this.#kept.changed(session));
    if (this.#events.listenerCount('changed') === 0) return;
    this.#guard(() => this.#events.emit('changed', session.view()));
  }

  /** The session is closed for good. Never throws. */
  ended(identity: SessionIdentity): void {
    this.#guard(() => this.#kept.end(identity.id));
    this.#guard(() => this.#events.emit('ended', identity.id, identity));
  }

  /** The caller gets its answer also when it cannot be remembered. */
  #write(opened: Evaluation, closed: ClosedEvaluation): Evaluation {
    try {
      return this.#history.evaluations.close(opened.id, closed);
    } catch (error) {
      this.#log.error(`Evaluation ${opened.id} could not be closed in the history`, error);
      const lost = `This outcome could not be written to the history, nor its output be read: ${asFailure(error).message}`;
      return { ...opened, ...closed, notes: [...closed.notes, lost] };
    }
  }

  /** What fails here is told to the log: the session has nothing to do with it. */
  #guard(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#log.error('What happened in a session could not be written down or told', error);
    }
  }
}
