/** Finds the running harbor at its socket, or starts one. Waits for a harbor that is restarting. */
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** A harbor that was just started and may not answer yet. */
export interface StartedHarbor {
  /** Why it ended already, to tell the person; null while it lives. */
  died(): string | null;
}

export interface ReachOptions {
  socketPath: string;
  /** Starts a harbor without a window; rejects with what to tell the person. */
  startHarbor: () => Promise<StartedHarbor>;
}

export interface Reach {
  /** Whether a harbor is needed now, or may be waited for. */
  needed: () => boolean;
  /** How long a needed harbor may be away, restarting, before another is started. */
  patienceMs: number;
  signal: AbortSignal;
}

const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1000;
/** A harbor that is starting is needed at once. */
const STARTING_PAUSE_MS = 100;
const START_LIMIT_MS = 60_000;

/**
 * An open connection to the harbor.
 * @throws when `signal` is aborted, `startHarbor` rejects, or a started harbor ends or does not answer within a minute
 */
export async function reachHarbor({ socketPath, startHarbor }: ReachOptions, reach: Reach): Promise<Socket> {
  const began = Date.now();
  let started: { harbor: StartedHarbor; at: number } | undefined;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    const socket = await tryConnect(socketPath);
    reach.signal.throwIfAborted();
    if (socket !== undefined) return socket;
    if (started === undefined && reach.needed() && Date.now() - began >= reach.patienceMs) {
      const harbor = await Promise.race([startHarbor(), abortOf(reach.signal)]);
      started = { harbor, at: Date.now() };
    }
    if (started !== undefined) requireLife(started, socketPath);
    await delay(started === undefined ? pause : STARTING_PAUSE_MS, undefined, { signal: reach.signal });
  }
}

function abortOf(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

function requireLife({ harbor, at }: { harbor: StartedHarbor; at: number }, socketPath: string): void {
  const reason = harbor.died();
  if (reason !== null) throw new Error(reason);
  if (Date.now() - at > START_LIMIT_MS) {
    throw new Error(`The harbor was started and does not answer at ${socketPath}. Its log says why.`);
  }
}

function tryConnect(socketPath: string): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    const socket = connect(socketPath);
    socket.once('connect', () => {
      socket.off('error', failed);
      resolve(socket);
    });
    const failed = (): void => resolve(undefined);
    socket.once('error', failed);
  });
}
