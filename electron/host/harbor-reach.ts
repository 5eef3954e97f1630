/**
 * Connects to the running harbor through its socket, or starts one. Waits for a harbor that is starting or
 * restarting.
 */
import { connect, type Socket } from 'node:net';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { requireOwnFolder } from './data-folder';
import { addListeners, onAbort } from './listeners';

/** A harbor that was just started and may not answer yet. */
export interface StartedHarbor {
  /** How it ended; null while it runs. */
  ended(): EndedStart | null;
}

export interface EndedStart {
  /** It found the data folder lock owned by another harbor and exited, which is not a failure. */
  yielded: boolean;
  /** Message for the user. */
  reason: string;
}

export interface ReachOptions {
  /**
   * Called before each attempt, because a harbor listens where its own environment says, which may differ
   * from the client’s.
   */
  socketPath: () => string;
  /**
   * Reports whether a process owns the data folder lock: a harbor that starts or stops, or a short command.
   */
  isLocked: () => boolean;
  /** Starts a harbor without a window. Rejects with a message for the user. */
  startHarbor: () => Promise<StartedHarbor>;
}

export interface Reach {
  /** Reports whether a harbor must be started if none answers; absent: it must. */
  needed?: () => boolean;
  /** Time that a needed harbor may be restarting before another is started, in milliseconds; 0 by default. */
  restartTimeoutMs?: number;
  signal?: AbortSignal;
}

const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1000;
/** Pause between attempts after a harbor was started. */
const STARTING_PAUSE_MS = 100;
const START_LIMIT_MS = 60_000;

/**
 * Returns a connection to the harbor. Several clients may start one at the same time; the one that gets the
 * data folder lock serves them all.
 * @throws if `signal` aborts, `startHarbor` rejects, or a needed harbor fails to start or does not answer
 *   within a minute
 */
export async function reachHarbor(
  options: ReachOptions,
  { needed = () => true, restartTimeoutMs = 0, signal = new AbortController().signal }: Reach = {},
): Promise<Socket> {
  const began = Date.now();
  let missedSince: number | undefined;
  let started: StartedHarbor | undefined;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    const socket = await tryConnect(options.socketPath());
    if (signal.aborted) socket?.destroy();
    signal.throwIfAborted();
    if (socket !== undefined) return socket;
    if (missedSince === undefined && needed() && Date.now() - began >= restartTimeoutMs)
      missedSince = Date.now();
    if (missedSince !== undefined) {
      const ended = endOf(started);
      if (Date.now() - missedSince > START_LIMIT_MS) throw noAnswer(options, ended);
      if (!options.isLocked() && (started === undefined || ended !== null))
        started = await Promise.race([options.startHarbor(), abortOf(signal)]);
    }
    const wait = missedSince === undefined ? pause : STARTING_PAUSE_MS;
    await delay(wait, undefined, { signal });
  }
}

/** @throws with the reason if the start failed */
function endOf(started: StartedHarbor | undefined): EndedStart | null {
  const ended = started?.ended() ?? null;
  if (ended !== null && !ended.yielded) throw new Error(ended.reason);
  return ended;
}

function noAnswer({ socketPath, isLocked }: ReachOptions, ended: EndedStart | null): Error {
  const state = isLocked() ? 'owns the data folder' : 'was started';
  const last = ended === null ? '' : `\n${ended.reason}`;
  return new Error(
    `A harbor ${state} but does not answer at ${socketPath()}. See its log for the reason.${last}`,
  );
}

function abortOf(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    onAbort(signal, () => reject(signal.reason));
  });
}

/**
 * Connects to the socket of a harbor. The caller then sends the secret of the data folder.
 * @throws HarborError `data_folder_unusable` if another user could have put a socket there
 */
export function connectToHarbor(socketPath: string): Socket {
  requireOwnFolder(path.dirname(socketPath));
  return connect(socketPath);
}

function tryConnect(socketPath: string): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    const socket = connectToHarbor(socketPath);
    const settle = (found: Socket | undefined): void => {
      removeListeners();
      resolve(found);
    };
    const removeListeners = addListeners(socket, (on) => {
      on('connect', () => settle(socket));
      on('error', () => settle(undefined));
    });
  });
}
