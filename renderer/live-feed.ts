/** Keeps the live store current: listens first, then asks for a snapshot, so that nothing falls between the two. */
import type { StoreApi } from 'zustand';
import type { HistoryRow } from '../electron/contract/model';
import { call, messageOf, subscribe } from './bridge';
import {
  KEPT_OUTPUT,
  type LiveState,
  withEnded,
  withOutput,
  withPrinted,
  withRow,
  withSession,
  withSessions,
} from './live';
import { onEvaluationOutput, startOutputFeed } from './output-feed';

type LiveStore = StoreApi<LiveState>;

/** How often pid and memory are read anew while a person may be looking, in milliseconds. */
const USAGE_PERIOD_MS = 5_000;

/** Starts the feed; answers the function that stops it. */
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
    // Before those who show it, which take from the store what came before them.
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
 * Asks main for everything the store shows; a failure becomes the store's `problem`. Each answer goes into the store as it
 * comes: events of what happened before it have come before it, and taken in later it would undo newer ones.
 */
export async function loadSnapshot(store: LiveStore): Promise<void> {
  try {
    await Promise.all([
      call('harbor:status', null).then((status) => store.setState({ status })),
      call('sessions:list', null).then((sessions) =>
        store.setState((state) => withSessions(state, sessions)),
      ),
      call('history:page', { outcome: 'running', limit: 200 }).then(({ rows }) =>
        Promise.all(rows.map((row) => loadRunning(store, row))),
      ),
      call('approvals:read', null).then((approvals) => store.setState({ approvals })),
      call('needs:read', null).then((needs) => store.setState({ needs })),
    ]);
    store.setState({ problem: null });
    await refreshMemory(store);
  } catch (error) {
    store.setState({ problem: messageOf(error) });
  }
}

/** A row has the beginning of what was printed; who watches wants the end, from which the events go on. */
async function loadRunning(store: LiveStore, row: HistoryRow): Promise<void> {
  const printed = row.output === '' ? [] : await call('history:printed', { id: row.id, last: KEPT_OUTPUT });
  store.setState((state) => withPrinted(state, row, printed));
}

/** Memory changes without an event. */
async function refreshUsage(store: LiveStore): Promise<void> {
  if (document.hidden) return;
  if (hasOpenSession(store.getState())) await refreshSessions(store);
  await refreshMemory(store);
}

async function refreshSessions(store: LiveStore): Promise<void> {
  try {
    const sessions = await call('sessions:list', null);
    for (const session of sessions) store.setState((state) => withSession(state, session));
  } catch {
    // The last reading stands: the next may succeed, and a harbor that is gone shows in everything else.
  }
}

async function refreshMemory(store: LiveStore): Promise<void> {
  try {
    store.setState({ memory: await call('harbor:memory', null) });
  } catch {
    // The last reading stands here too.
  }
}

function hasOpenSession({ sessions }: LiveState): boolean {
  return [...sessions.values()].some(({ state }) => state !== 'ended');
}
