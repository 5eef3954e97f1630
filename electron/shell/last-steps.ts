/** What is done when the app has decided to quit. */
import { app } from 'electron';

/**
 * Quitting waits for the images to end and the history to close, but not for ever: `end` is to settle in time. Until then it
 * also waits when it is asked for again, as it is when the last window closes meanwhile.
 */
export function quitAfter(end: () => Promise<unknown>): void {
  let isEnding = false;
  app.on('will-quit', (event) => {
    event.preventDefault();
    if (isEnding) return;
    isEnding = true;
    void end().finally(() => app.exit());
  });
}
