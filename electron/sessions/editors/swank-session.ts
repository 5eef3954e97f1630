/** A session as SLIME or SLY in Emacs sees it: Swank or Slynk in its image. */

import type { EmacsProtocol } from '../../contract/harbor-status';
import { type EditorKey, SLIME_KEY, SLY_KEY } from '../../contract/known-clients';
import { note } from '../../contract/note';
import type { EmacsServers, SwankConnection } from '../../images/optional-groups';
import type { ForeignEvaluation, ForeignRequest } from '../session/editor-evaluations';
import type { Session } from '../session/session';
import { EditorSession } from './editor-session';

/** The editors of Emacs's servers, as clients. */
export const EMACS_CLIENTS: Readonly<Record<EmacsProtocol, EditorKey>> = { swank: SLIME_KEY, slynk: SLY_KEY };

export class SwankSession extends EditorSession {
  readonly #server: EmacsProtocol;
  /** The generation of the image that already has a note about Emacs. */
  #noted = 0;

  constructor(session: Session, client: string, server: EmacsProtocol) {
    super(session, client, `;; Emacs connects with ${EMACS_CLIENTS[server]}.`);
    this.#server = server;
  }

  /**
   * Prepares the server in the image.
   * @returns the version of SLIME or SLY
   * @throws HarborError `not_supported`, `session_ended`, `paused`, `not_approved`, and what
   *   EmacsServers.start throws
   */
  async start(): Promise<string | null> {
    return (await this.#servers()).start(this.#server);
  }

  /** @throws HarborError as `start` */
  async connect(): Promise<SwankConnection> {
    const servers = await this.#servers();
    await servers.start(this.#server);
    const { generation } = this.of;
    if (this.#noted !== generation) this.of.addNotes(attached(EMACS_CLIENTS[this.#server]));
    this.of.lineages.mayChangeUnseen();
    this.#noted = generation;
    return servers.connect(this.#server);
  }

  /** Opens the row of an evaluation that Emacs makes in a thread of the server. */
  record(request: Omit<ForeignRequest, 'client'>): ForeignEvaluation {
    return this.of.record({ ...request, client: EMACS_CLIENTS[this.#server] });
  }

  /** Closes all connections. Returns the names of threads that continue to run. */
  async stop(): Promise<string[]> {
    const { state } = this.of;
    if (state === 'lost' || state === 'ended' || state === 'starting') return [];
    return this.of.ability('slime').stop(this.#server);
  }

  async #servers(): Promise<EmacsServers> {
    await this.revive();
    return this.of.abilityFor({ ...this.act, tool: 'slime' }, 'slime');
  }
}

function attached(editor: EditorKey) {
  return note(
    'emacs_attached',
    `Emacs is attached to this image with ${editor}. It may define and change things at any time; the history has its evaluations.`,
  );
}
