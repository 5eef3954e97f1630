/**
 * The calls and events between the window and the main process. Each call is named once, in the tables of session-calls.ts and
 * harbor-calls.ts. Both ends derive from them: electron/shell/answer.ts registers a handler for each call, and
 * renderer/bridge.ts makes a typed proxy.
 */
import { z } from 'zod';
import { ApprovalState, NeedsView } from './approvals';
import type { EventName } from './channels';
import type { ErrorCode } from './errors';
import { clientCalls, diagnosticsCalls, harborCalls, historyCalls, updateCalls } from './harbor-calls';
import { HarborStatus, UpdateView } from './harbor-status';
import { HistoryRow, ListenerView, SessionId, SessionView, Stream } from './model';
import { bySession, type CallTable, imageCalls, nothing, sessionCalls } from './session-calls';
import { Settings } from './settings';
import { sourceCalls } from './source-files';

export const calls = {
  ...sessionCalls,
  ...imageCalls,
  ...diagnosticsCalls,
  ...historyCalls,
  ...clientCalls,
  ...harborCalls,
  ...sourceCalls,
  ...updateCalls,
} satisfies CallTable;

export type CallName = keyof typeof calls;

export const events = {
  'harbor:changed': HarborStatus,
  /**
   * Sent after a change in the window or in the file. Values that depend on settings may have changed as
   * well.
   */
  'settings:changed': Settings,
  /** Progress while a session is being opened. */
  'session:opening': z.object({ doing: z.string() }),
  'session:changed': SessionView,
  // `unread` is text that the user typed and that was never read.
  'session:ended': bySession.extend({ unread: z.string() }),
  /** A checkpoint was saved or deleted. `session:changed` reports which sessions use one. */
  'checkpoints:changed': nothing,
  'evaluation:opened': HistoryRow,
  'evaluation:output': z.object({
    evaluation: z.number().int(),
    session: SessionId,
    stream: Stream,
    text: z.string(),
  }),
  'evaluation:closed': HistoryRow,
  /** An evaluation or call started or ended. Sent a few times a second at most. */
  'history:changed': nothing,
  'listener:output': bySession.extend({ text: z.string() }),
  'listener:changed': bySession.extend({ view: ListenerView }),
  'approvals:changed': ApprovalState,
  'needs:changed': NeedsView,
  'updates:changed': UpdateView,
  /** The user chose a command in the application menu. */
  'window:run': z.object({ id: z.string() }),
  /** A notification, the tray or a link opens a view: a hash as in route.ts. */
  'window:go': z.object({ to: z.string() }),
} satisfies Record<EventName, z.ZodType>;

export type Args<C extends CallName> = z.input<(typeof calls)[C]['args']>;
export type ParsedArgs<C extends CallName> = z.output<(typeof calls)[C]['args']>;
export type Result<C extends CallName> = z.output<(typeof calls)[C]['result']>;
export type Payload<E extends EventName> = z.output<(typeof events)[E]>;

/** Response to a call. */
export type Reply<T> = { ok: true; value: T } | { ok: false; code: ErrorCode; message: string };

/** The object that preload exposes as `window.bridge`. `on` returns a function that unsubscribes. */
export interface Bridge {
  invoke<C extends CallName>(call: C, args: Args<C>): Promise<Reply<Result<C>>>;
  /** Returns the path of a file or folder that was dropped on the page, or '' if it has none. */
  pathOf(file: File): string;
  on<E extends EventName>(event: E, listener: (payload: Payload<E>) => void): () => void;
}
