/** What the sessions tell whoever watches: the window, waiting callers, listeners. */
import { EventEmitter } from 'node:events';
import type { Evaluation, SessionId, SessionView, Stream } from '../contract/model';
import type { SessionIdentity } from './session/evaluation-request';

export interface OutputEvent {
  evaluation: number;
  session: SessionId;
  stream: Stream;
  text: string;
}

export interface SessionEventMap {
  /** A session has been opened. */
  begun: [identity: SessionIdentity];
  /** What goes on while a session is opened that is not there yet. */
  opening: [doing: string];
  changed: [session: SessionView];
  ended: [session: SessionId, identity: SessionIdentity];
  opened: [evaluation: Evaluation];
  output: [output: OutputEvent];
  /** Held in the debugger; its row, without output. */
  held: [evaluation: Evaluation];
  /** No longer held; its row as it was opened. */
  wentOn: [evaluation: Evaluation];
  closed: [evaluation: Evaluation];
  /** The list of checkpoints is another one now. */
  checkpoints: [];
}

export class SessionEvents extends EventEmitter<SessionEventMap> {
  constructor() {
    super();
    // Every connection and every listener watches; there is no leak to warn about.
    this.setMaxListeners(0);
  }
}
