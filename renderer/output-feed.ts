/**
 * Output as it comes from main. Who shows it says when that is done; once all have, main is told, which holds back what comes
 * next while much is on its way. So a page that draws slowly has little to draw, and its keys and clicks need not wait.
 */
import type { Payload } from '../electron/contract/contract';
import { call, subscribe } from './bridge';

export type OutputEventName = 'evaluation:output' | 'listener:output';

/** Shows a piece; what takes its time answers a promise, which must come to an end whatever becomes of the one who shows. */
export type Shows<E extends OutputEventName> = (output: Payload<E>) => Promise<void> | undefined;

const evaluations = new Set<Shows<'evaluation:output'>>();
const listeners = new Set<Shows<'listener:output'>>();

/** Begins to listen; call it before anybody wants to show output. Answers the function that stops it. */
export function startOutputFeed(): () => void {
  const stops = [
    subscribe('evaluation:output', (output) => void show(evaluations, output)),
    subscribe('listener:output', (output) => void show(listeners, output)),
  ];
  void tell(call('output:begin', null));
  return () => {
    for (const stop of stops) stop();
  };
}

/** Shows what evaluations print from now on; answers the function that ends it. */
export function onEvaluationOutput(shows: Shows<'evaluation:output'>): () => void {
  return added(evaluations, shows);
}

/** Shows what listeners say from now on; answers the function that ends it. */
export function onListenerOutput(shows: Shows<'listener:output'>): () => void {
  return added(listeners, shows);
}

function added<T>(all: Set<T>, one: T): () => void {
  all.add(one);
  return () => void all.delete(one);
}

async function show<T extends { text: string }>(
  all: ReadonlySet<(output: T) => Promise<void> | undefined>,
  output: T,
): Promise<void> {
  const shown = await Promise.allSettled([...all].map(async (shows) => shows(output)));
  for (const one of shown) if (one.status === 'rejected') reportError(one.reason);
  await tell(call('output:taken', { characters: output.text.length }));
}

/** Fails only where main itself is at its end. */
async function tell(telling: Promise<null>): Promise<void> {
  try {
    await telling;
  } catch {
    // Then no more output comes, and every other call says why.
  }
}
