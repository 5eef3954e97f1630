/**
 * Keeps the live store current. Subscribes to events before it requests a snapshot, so that no change is
 * missed.
 */

import type { StoreApi } from 'zustand';
import type { Payload } from '../electron/contract/contract';
import type { HistoryRow } from '../electron/contract/model';
import { harbor, messageOf, subscribe } from './bridge';
import {
  type LiveState,
  MAX_OUTPUT,
  withEnded,
  withOutput,
  withPrinted,
  withRow,
  withSession,
  withSessions,
} from './live';

type LiveStore = StoreApi<LiveState>;

/** Interval between refreshes of pid and memory while the page is visible, in milliseconds. */
const USAGE_PERIOD_MS = 5_000;

/** Starts the feed. Returns the function that stops it. */
export function startLiveFeed(store: LiveStore): () => void {
  const stops = [
    subscribe('harbor:changed', (status) => {
      store.setState({ status, problem: null });
      void refreshMemory(store);
    }),
    subscribe('session:opening', ({ doing }) => store.setState({ opening: doing })),
    subscribe('session:changed', (session) => store.setState((state) => withSession(state, session))),
    subscribe('session:ended', ({ session }) => store.setState((state) => withEnded(state, session))),
    subscribe('evaluation:opened', (row) => store.setState((state) => withRow(state, row))),
    // Registered before the views' listeners, which read earlier output from the store.
    onEvaluationOutput((output) => {
      store.setState((state) => withOutput(state, output));
      return undefined;
    }),
    startOutputFeed(),
    subscribe('evaluation:closed', (row) => store.setState((state) => withRow(state, row))),
    subscribe('approvals:changed', (approvals) => store.setState({ approvals })),
    subscribe('needs:changed', (needs) => store.setState({ needs })),
  ];
  void loadSnapshot(store);
  const timer = setInterval(() => void refreshUsage(store), USAGE_PERIOD_MS);
  return () => {
    clearInterval(timer);
    for (const stop of stops) stop();
  };
}

/**
 * Requests everything that the store contains. A failure is stored as `problem`. Each answer is stored as it
 * arrives: events and answers arrive in order, so a delayed answer would overwrite newer state.
 */
export async function loadSnapshot(store: LiveStore): Promise<void> {
  try {
    await Promise.all([
      harbor.harbor.status().then((status) => store.setState({ status })),
      harbor.sessions.list().then((sessions) => store.setState((state) => withSessions(state, sessions))),
      harbor.history
        .page({ outcome: 'running', limit: 200 })
        .then(({ rows }) => Promise.all(rows.map((row) => loadRunning(store, row)))),
      harbor.approvals.read().then((approvals) => store.setState({ approvals })),
      harbor.needs.read().then((needs) => store.setState({ needs })),
    ]);
    store.setState({ problem: null });
    await refreshMemory(store);
  } catch (error) {
    store.setState({ problem: messageOf(error) });
  }
}

/**
 * Requests the end of the output, because a row contains only its beginning. Later output arrives as events.
 */
async function loadRunning(store: LiveStore, row: HistoryRow): Promise<void> {
  const printed = row.output === '' ? [] : await harbor.history.printed({ id: row.id, last: MAX_OUTPUT });
  store.setState((state) => withPrinted(state, row, printed));
}

/** Polls memory, for which there are no events. */
async function refreshUsage(store: LiveStore): Promise<void> {
  if (document.hidden) return;
  if (hasOpenSession(store.getState())) await refreshSessions(store);
  await refreshMemory(store);
}

async function refreshSessions(store: LiveStore): Promise<void> {
  try {
    const sessions = await harbor.sessions.list();
    for (const session of sessions) store.setState((state) => withSession(state, session));
  } catch {
    // Retains the last reading. The next request may succeed, and a lost connection to the harbor is visible
    // elsewhere.
  }
}

async function refreshMemory(store: LiveStore): Promise<void> {
  try {
    store.setState({ memory: await harbor.harbor.memory() });
  } catch {
    // Retains the last reading.
  }
}

function hasOpenSession({ sessions }: LiveState): boolean {
  return [...sessions.values()].some(({ state }) => state !== 'ended');
}

/**
 * Flow control for output. After all listeners have drawn a piece, main receives an acknowledgement; it
 * withholds output while too much is unacknowledged. A page that draws slowly stays responsive.
 */
type OutputEventName = 'evaluation:output' | 'listener:output';

/**
 * Draws a piece of output. Returns a promise if it takes time; the promise must settle even if the view is
 * closed.
 */
type OutputListener<E extends OutputEventName> = (output: Payload<E>) => Promise<void> | undefined;

const evaluations = new Set<OutputListener<'evaluation:output'>>();
const listeners = new Set<OutputListener<'listener:output'>>();

/** Starts to listen. Must be called before views add output listeners. Returns the function that stops it. */
export function startOutputFeed(): () => void {
  const stops = [
    subscribe('evaluation:output', (output) => void show(evaluations, output)),
    subscribe('listener:output', (output) => void show(listeners, output)),
  ];
  void acknowledge(harbor.output.begin());
  return () => {
    for (const stop of stops) stop();
  };
}

/** Calls the listener with later output of evaluations. Returns the function that removes it. */
export function onEvaluationOutput(listener: OutputListener<'evaluation:output'>): () => void {
  return added(evaluations, listener);
}

/** Calls the listener with later output of session listeners. Returns the function that removes it. */
export function onListenerOutput(listener: OutputListener<'listener:output'>): () => void {
  return added(listeners, listener);
}

function added<T>(all: Set<T>, one: T): () => void {
  all.add(one);
  return () => void all.delete(one);
}

async function show<T extends { text: string }>(
  all: ReadonlySet<(output: T) => Promise<void> | undefined>,
  output: T,
): Promise<void> {
  const shown = await Promise.allSettled([...all].map(async (listener) => listener(output)));
  for (const one of shown) if (one.status === 'rejected') reportError(one.reason);
  await acknowledge(harbor.output.taken({ characters: output.text.length }));
}

/** Sends an acknowledgement. Fails only if main has ended. */
async function acknowledge(acknowledgement: Promise<null>): Promise<void> {
  try {
    await acknowledgement;
  } catch {
    // No more output arrives, and every other call reports the failure.
  }
}
