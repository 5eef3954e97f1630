/**
 * A clock that a test sets forward, for a harbor that is started with `--import` of this file. At SIGUSR2 a day and an
 * hour pass: `Date.now` tells it, and timers of a minute or longer, all of which had fallen due by then, go off. LONG_MS says
 * from how many milliseconds on instead.
 */
const PASSED_MS = 25 * 60 * 60_000;
const LONG_MS = Number(process.env.LONG_MS ?? 60_000);

type Action = (...args: unknown[]) => void;
type SetTimer = (action: Action, ms?: number, ...args: unknown[]) => NodeJS.Timeout;
type ClearTimer = (timer: NodeJS.Timeout) => void;

/** The long timers that wait, each with what it does; those of setTimeout go off once. */
const waiting = new Map<NodeJS.Timeout, { once: boolean; act: () => void }>();
const { now } = Date;
let ahead = 0;

function noting(set: SetTimer, once: boolean): SetTimer {
  return (action, ms = 0, ...args) => {
    const act = () => {
      if (once) waiting.delete(timer);
      action(...args);
    };
    const timer = set(act, ms);
    if (ms >= LONG_MS) waiting.set(timer, { once, act });
    return timer;
  };
}

function forgetting(clear: ClearTimer): ClearTimer {
  return (timer) => {
    waiting.delete(timer);
    clear(timer);
  };
}

Date.now = () => now() + ahead;
Object.assign(globalThis, {
  setTimeout: noting(globalThis.setTimeout as SetTimer, true),
  setInterval: noting(globalThis.setInterval as SetTimer, false),
  clearTimeout: forgetting(globalThis.clearTimeout),
  clearInterval: forgetting(globalThis.clearInterval),
});

process.on('SIGUSR2', () => {
  ahead += PASSED_MS;
  for (const [timer, { once, act }] of [...waiting]) {
    if (once) clearTimeout(timer);
    act();
  }
});
