/** A client that goes away before it has its answer. */
import type { ServerResponse } from 'node:http';

/** Aborted when the client closes the connection before `res` is complete. */
export function goneSignal(res: ServerResponse): AbortSignal {
  const controller = new AbortController();
  res.once('close', () => {
    if (!res.writableFinished) controller.abort();
  });
  return controller.signal;
}
