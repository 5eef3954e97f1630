/** The session behind one connection of the ACL2 Bridge. It is opened by the first command. */

import type { Grant } from '../contract/approvals';
import { HarborError } from '../contract/errors';
import type { Evaluation, SessionId } from '../contract/model';
import { noteTexts } from '../contract/note';
import { addListeners } from '../host/listeners';
import { outerList } from '../source/reader';
import type { OpenRequest } from './open-request';
import type { RunningEvaluation } from './session/pending-evaluations';
import type { Session } from './session/session';
import type { Sessions } from './sessions';

export class BridgeSession {
  readonly #sessions: Sessions;
  readonly #request: OpenRequest;
  readonly #closed = Promise.withResolvers<void>();
  #opening: Promise<Session> | null = null;
  #running: { evaluation: RunningEvaluation; print: (text: string) => void } | null = null;
  #ended = false;

  /** @param request the request for the session; its client owns all evaluations */
  constructor(sessions: Sessions, request: OpenRequest) {
    this.#sessions = sessions;
    this.#request = { ...request, engine: 'acl2' };
  }

  /** Resolves when the world is lost: the process ended or the session was closed. */
  get closed(): Promise<void> {
    return this.#closed.promise;
  }

  /**
   * Evaluates one command of the Bridge; commands must not overlap. Values are returned as data
   * (`EvaluateRequest.asData`), at most `maxChars` characters.
   * @throws HarborError if ACL2 cannot start; `not_supported` for an unsupported command
   */
  async evaluate(
    grant: Grant | null,
    command: string,
    maxChars: number,
    print: (text: string) => void,
  ): Promise<Evaluation> {
    const code = translateCommand(command);
    const session = await this.#opened(print);
    if (this.#ended) throw new HarborError('session_ended', 'The connection was closed.');
    const { client } = this.#request;
    const evaluation = session.evaluate({ client, grant, kind: 'eval', code, asData: true, maxChars });
    this.#running = { evaluation, print };
    const closed = await evaluation.settled;
    this.#running = null;
    return closed;
  }

  /** Interrupts the running evaluation and closes the session. */
  async end(): Promise<void> {
    this.#ended = true;
    const session = await this.#opening?.catch(() => null);
    if (!session) return;
    if (this.#running) await session.cancel(this.#running.evaluation);
    await this.#sessions.close(session);
  }

  /** Clears a failed opening, so that the next command tries again. */
  #opened(print: (text: string) => void): Promise<Session> {
    this.#opening ??= this.#open(print).catch((error: unknown) => {
      this.#opening = null;
      throw error;
    });
    return this.#opening;
  }

  /** Opens the session and prints its sandbox notes, because replies have no field for them. */
  async #open(print: (text: string) => void): Promise<Session> {
    const session = await this.#sessions.open(this.#request);
    for (const text of noteTexts(session.sandboxNotes)) print(`; ${text}\n`);
    this.#watch(session.id);
    return session;
  }

  #watch(id: SessionId): void {
    const removeListeners = addListeners(this.#sessions.events, (on) => {
      on('output', ({ evaluation, text }) => {
        if (evaluation === this.#running?.evaluation.id) this.#running.print(text);
      });
      on('changed', (view) => {
        if (view.id === id && view.state === 'lost') this.#closed.resolve();
      });
      on('ended', (ended) => {
        if (ended !== id) return;
        removeListeners();
        this.#closed.resolve();
      });
    });
  }
}

// Commands of the ACL2 Bridge. The Bridge of ACL2's books evaluates commands in raw Lisp, outside the logic.
// Here every form goes through LD, so wrappers for raw Lisp are removed.

/** Wrappers that request the main thread, for memoized functions. Here every command runs in it. */
const MAIN_THREAD: ReadonlySet<string> = new Set(['bridge::in-main-thread', 'bridge::try-in-main-thread']);

/** Prefixes of ACL2's own package, in which commands begin. */
const OWN_PACKAGE = /^(?:acl2|common-lisp|cl)::?/;

/**
 * Translates a command of the Bridge into forms for LD.
 * @throws HarborError `not_supported` for other operators of the package BRIDGE
 */
export function translateCommand(command: string): string {
  const list = outerList(command);
  const operator = list?.operator.toLowerCase() ?? '';
  if (list && MAIN_THREAD.has(operator)) return asForm(list.rest.trim());
  if (!operator.startsWith('bridge::')) return asForm(command);
  throw new HarborError(
    'not_supported',
    `${operator} is not supported. From the package BRIDGE only in-main-thread and try-in-main-thread are supported, around a whole command; closing the connection ends its ACL2.`,
  );
}

/**
 * Translates raw Lisp's VALUES to ACL2's MV. A nested LD prints nothing inside ours unless it is asked to
 * print as at ACL2's prompt.
 */
function asForm(text: string): string {
  const list = outerList(text);
  if (!list) return text;
  const operator = list.operator.toLowerCase().replace(OWN_PACKAGE, '');
  if (operator === 'values') return `(mv${list.rest})`;
  if (operator !== 'ld' || /:ld-post-eval-print/i.test(text)) return text;
  return `(${list.operator}${list.rest} :ld-post-eval-print :command-conventions)`;
}
