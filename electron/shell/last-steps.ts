/** What is done when the app has decided to quit. */
import { app } from 'electron';

/** Quitting waits for the images to end and the history to close, but not for ever: `end` is to settle in time. */
export function quitAfter(end: () => Promise<unknown>): void {
  app.once('will-quit', (event) => {
    event.preventDefault();
    void end().finally(() => app.exit());
  });
}
