/** The ACL2 behind one connection of the Bridge: a session of its own, which is opened when it is first needed. */
import { HarborError } from '../contract/errors';
import type { Evaluation, SessionId, SessionView } from '../contract/model';
import { formsOf } from './bridge-forms';
import type { OutputEvent } from './events';
import type { OpenRequest } from './open-request';
import type { RunningEvaluation } from './session/running-evaluation';
import type { Session } from './session/session';
import type { Sessions } from './sessions';

export class BridgeSession {
  readonly #sessions: Sessions;
  readonly #request: OpenRequest;
  readonly #gone = Promise.withResolvers<void>();
  #opening: Promise<Session> | null = null;
  #running: { evaluation: RunningEvaluation; print: (text: string) => void } | null = null;
  #ended = false;

  /** @param request for the session, in whose client's name all is evaluated */
  constructor(sessions: Sessions, request: OpenRequest) {
    this.#sessions = sessions;
    this.#request = { ...request, engine: 'acl2' };
  }

  /** Settles when the world is lost, with its process or because somebody has closed the session. */
  get gone(): Promise<void> {
    return this.#gone.promise;
  }

  /**
   * Evaluates a command of the Bridge; values come as data (`EvaluateRequest.asData`), of `maxChars` characters at most.
   * One at a time.
   * @throws HarborError why there is no ACL2, or `not_supported` for a command that there is not here
   */
  async evaluate(command: string, maxChars: number, print: (text: string) => void): Promise<Evaluation> {
    const code = formsOf(command);
    const session = await this.#opened(print);
    if (this.#ended) throw new HarborError('session_ended', 'The connection was closed.');
    const { client } = this.#request;
    const evaluation = session.evaluate({ client, kind: 'eval', code, asData: true, maxChars });
    this.#running = { evaluation, print };
    const closed = await evaluation.settled;
    this.#running = null;
    return closed;
  }

  /** Interrupts what runs, climbing the ladder, and ends the session. */
  async end(): Promise<void> {
    this.#ended = true;
    const session = await this.#opening?.catch(() => null);
    if (!session) return;
    if (this.#running) await session.cancel(this.#running.evaluation);
    await this.#sessions.close(session);
  }

  /** A failed opening is forgotten, so that the next command tries again. */
  #opened(print: (text: string) => void): Promise<Session> {
    this.#opening ??= this.#open(print).catch((error: unknown) => {
      this.#opening = null;
      throw error;
    });
    return this.#opening;
  }

  /** Replies have no place for what is to be told of the image: it is printed once, before all that code prints. */
  async #open(print: (text: string) => void): Promise<Session> {
    const session = await this.#sessions.open(this.#request);
    for (const note of session.sandboxNotes) print(`; ${note}\n`);
    this.#watch(session.id);
    return session;
  }

  #watch(id: SessionId): void {
    const { events } = this.#sessions;
    const onOutput = ({ evaluation, text }: OutputEvent): void => {
      if (evaluation === this.#running?.evaluation.id) this.#running.print(text);
    };
    const onChanged = (view: SessionView): void => {
      if (view.id === id && view.state === 'lost') this.#gone.resolve();
    };
    const onEnded = (ended: SessionId): void => {
      if (ended !== id) return;
      events.off('output', onOutput).off('changed', onChanged).off('ended', onEnded);
      this.#gone.resolve();
    };
    events.on('output', onOutput).on('changed', onChanged).on('ended', onEnded);
  }
}
