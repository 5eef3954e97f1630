/** Writes what happens in sessions into the history and tells it to whoever watches. */
import { HarborError } from '../contract/errors';
import type { Evaluation, Stream } from '../contract/model';
import type { History } from '../history/history';
import type { SessionEvents } from './events';
import type { ClosedEvaluation, EvaluationRequest, Journal, Session } from './session';

export class HistoryJournal implements Journal {
  readonly #history: History;
  readonly #events: SessionEvents;

  constructor(history: History, events: SessionEvents) {
    this.#history = history;
    this.#events = events;
  }

  open(session: Session, request: EvaluationRequest): number {
    const { id: sessionId, engine, project } = session.identity;
    const id = this.#history.evaluations.open({
      kind: request.kind,
      session: sessionId,
      engine,
      client: request.client,
      project,
      package: request.package ?? session.package,
      code: request.code,
      startedAt: Date.now(),
    });
    if (this.#events.listenerCount('opened') > 0) this.#events.emit('opened', this.#row(id));
    return id;
  }

  output(session: Session, id: number, stream: Stream, text: string): void {
    this.#history.evaluations.appendOutput(id, stream, text);
    this.#events.emit('output', { evaluation: id, session: session.id, stream, text });
  }

  close(_session: Session, id: number, closed: ClosedEvaluation): Evaluation {
    const row = this.#history.evaluations.close(id, closed);
    this.#events.emit('closed', row);
    return row;
  }

  changed(session: Session): void {
    if (this.#events.listenerCount('changed') > 0) this.#events.emit('changed', session.view());
  }

  #row(id: number): Evaluation {
    const row = this.#history.evaluations.find(id);
    if (!row) throw new HarborError('internal', `Row ${id} of the history is missing.`);
    return row;
  }
}
