/** A session as SLIME in Emacs sees it: Swank in its image. */

import { SLIME_KEY } from '../../contract/known-clients';
import { note } from '../../contract/note';
import type { SlimeServer, SwankConnection } from '../../images/optional-groups';
import type { ForeignEvaluation, ForeignRequest } from '../session/editor-evaluations';
import type { Session } from '../session/session';
import { EditorSession } from './editor-session';

const ATTACHED = note(
  'emacs_attached',
  'Emacs is attached to this image with SLIME. It may define and change things at any time; the history has its evaluations.',
);

export class SwankSession extends EditorSession {
  /** The generation of the image that already has a note about Emacs. */
  #noted = 0;

  constructor(session: Session, client: string) {
    super(session, client, ';; Emacs connects with SLIME.');
  }

  /**
   * Prepares Swank in the image.
   * @returns the version of SLIME
   * @throws HarborError `not_supported`, `session_ended`, `paused`, `not_approved`, and what
   *   SlimeServer.start throws
   */
  async start(): Promise<string | null> {
    return (await this.#server()).start();
  }

  /** @throws HarborError as `start` */
  async connect(): Promise<SwankConnection> {
    const server = await this.#server();
    await server.start();
    const { generation } = this.of;
    if (this.#noted !== generation) this.of.addNotes(ATTACHED);
    this.of.lineages.mayChangeUnseen();
    this.#noted = generation;
    return server.connect();
  }

  /** Opens the row of an evaluation that SLIME makes in a thread of Swank. */
  record(request: Omit<ForeignRequest, 'client'>): ForeignEvaluation {
    return this.of.record({ ...request, client: SLIME_KEY });
  }

  /** Closes all connections. Returns the names of threads that continue to run. */
  async stop(): Promise<string[]> {
    const { state } = this.of;
    if (state === 'lost' || state === 'ended' || state === 'starting') return [];
    return this.of.ability('slime').stop();
  }

  async #server(): Promise<SlimeServer> {
    await this.revive();
    return this.of.abilityFor({ ...this.act, tool: 'slime' }, 'slime');
  }
}
