/**
 * The contract between window and main: one table of calls, one of events. A name without a schema, or a
 * schema without a name, does not compile; the handlers in shell/ and the calls in renderer/ take their types here.
 */
import { z } from 'zod';
import { ApprovalState } from './approvals';
import { clientCalls } from './calls/client-calls';
import { diagnosticsCalls } from './calls/diagnostics-calls';
import { harborCalls } from './calls/harbor-calls';
import { historyCalls } from './calls/history-calls';
import { imageCalls } from './calls/image-calls';
import { bySession, nothing } from './calls/parameters';
import { sessionCalls } from './calls/session-calls';
import { updateCalls } from './calls/update-calls';
import type { CallName, EventName } from './channels';
import type { ErrorCode } from './errors';
import { HarborStatus } from './harbor-status';
import { ListenerView } from './listener';
import { HistoryRow, SessionId, SessionView, Stream } from './model';
import { NeedsView } from './needs';
import { Settings } from './settings';
import { UpdateView } from './updates';

export const calls = {
  ...sessionCalls,
  ...imageCalls,
  ...diagnosticsCalls,
  ...historyCalls,
  ...clientCalls,
  ...harborCalls,
  ...updateCalls,
} satisfies Record<CallName, { args: z.ZodType; result: z.ZodType }>;

export const events = {
  'harbor:changed': HarborStatus,
  /** Others are in force, by a change here or by hand; so what follows from them may be another as well. */
  'settings:changed': Settings,
  /** What goes on while a session is opened that is not there yet. */
  'session:opening': z.object({ doing: z.string() }),
  'session:changed': SessionView,
  // `unread` is what a person had typed there, and nothing had taken.
  'session:ended': bySession.extend({ unread: z.string() }),
  /** One was saved or dropped. Which sessions need one changes with their images: `session:changed` tells. */
  'checkpoints:changed': nothing,
  'evaluation:opened': HistoryRow,
  'evaluation:output': z.object({
    evaluation: z.number().int(),
    session: SessionId,
    stream: Stream,
    text: z.string(),
  }),
  'evaluation:closed': HistoryRow,
  /** Something has begun or ended since the last time; told a few times a second at most. */
  'history:changed': nothing,
  'listener:output': bySession.extend({ text: z.string() }),
  'listener:changed': bySession.extend({ view: ListenerView }),
  'approvals:changed': ApprovalState,
  'needs:changed': NeedsView,
  'updates:changed': UpdateView,
  /** A command was chosen in the application menu. */
  'window:run': z.object({ id: z.string() }),
  /** A notification, the tray or a link leads somewhere: a hash of route.ts. */
  'window:go': z.object({ to: z.string() }),
} satisfies Record<EventName, z.ZodType>;

export type Args<C extends CallName> = z.input<(typeof calls)[C]['args']>;
export type ParsedArgs<C extends CallName> = z.output<(typeof calls)[C]['args']>;
export type Result<C extends CallName> = z.output<(typeof calls)[C]['result']>;
export type Payload<E extends EventName> = z.output<(typeof events)[E]>;

/** What crosses the bridge in answer to a call. */
export type Reply<T> = { ok: true; value: T } | { ok: false; code: ErrorCode; message: string };

/** What preload exposes to the page as `window.bridge`. `on` answers a function that unsubscribes. */
export interface Bridge {
  invoke<C extends CallName>(call: C, args: Args<C>): Promise<Reply<Result<C>>>;
  /** The path of a file or folder that a person dropped on the page; '' for what is none. */
  pathOf(file: File): string;
  on<E extends EventName>(event: E, listener: (payload: Payload<E>) => void): () => void;
}
