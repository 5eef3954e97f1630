/** Finds the running harbor at its socket, or starts one. Waits for a harbor that is starting or restarting. */
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** A harbor that was just started and may not answer yet. */
export interface StartedHarbor {
  /** How it ended already; null while it lives. */
  ended(): EndedStart | null;
}

export interface EndedStart {
  /** It found the data folder held and left it to that holder, which is no failure. */
  yielded: boolean;
  /** What to tell the person. */
  reason: string;
}

export interface ReachOptions {
  /** Asked anew at each try: a harbor listens where its own environment says, which need not be the client's. */
  socketPath: () => string;
  /** Whether a process holds the data folder: a harbor that starts or ends, or a command that is done in a moment. */
  isHeld: () => boolean;
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
 * An open connection to the harbor. Several clients may start one at the same time: whoever gets the data folder
 * serves them all.
 * @throws when `signal` is aborted, `startHarbor` rejects, or a needed harbor fails to start or to answer for a minute
 */
export async function reachHarbor(options: ReachOptions, reach: Reach): Promise<Socket> {
  const began = Date.now();
  let missedSince: number | undefined;
  let started: StartedHarbor | undefined;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    const socket = await tryConnect(options.socketPath());
    if (reach.signal.aborted) socket?.destroy();
    reach.signal.throwIfAborted();
    if (socket !== undefined) return socket;
    if (missedSince === undefined && reach.needed() && Date.now() - began >= reach.patienceMs)
      missedSince = Date.now();
    if (missedSince !== undefined) {
      const ended = endOf(started);
      if (Date.now() - missedSince > START_LIMIT_MS) throw noAnswer(options, ended);
      if (!options.isHeld() && (started === undefined || ended !== null))
        started = await Promise.race([options.startHarbor(), abortOf(reach.signal)]);
    }
    const wait = missedSince === undefined ? pause : STARTING_PAUSE_MS;
    await delay(wait, undefined, { signal: reach.signal });
  }
}

/** @throws with its reason when the start failed */
function endOf(started: StartedHarbor | undefined): EndedStart | null {
  const ended = started?.ended() ?? null;
  if (ended !== null && !ended.yielded) throw new Error(ended.reason);
  return ended;
}

function noAnswer({ socketPath, isHeld }: ReachOptions, ended: EndedStart | null): Error {
  const held = isHeld() ? 'holds the data folder' : 'was started';
  const last = ended === null ? '' : `\n${ended.reason}`;
  return new Error(`A harbor ${held} and does not answer at ${socketPath()}. Its log says why.${last}`);
}

function abortOf(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
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
