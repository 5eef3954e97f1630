/**
 * Starts of images that are under way. A harbor that ends does not wait for them, as a JVM may take longer to start than a
 * harbor has to end: what they have launched is killed, and they fail by that.
 */
import { HarborError } from '../contract/errors';
import type { Launcher } from '../launchers/launcher';
import type { Engine, Image, StartRequest } from './image';

export class StartsUnderWay {
  readonly #starts = new Set<AbortController>();
  #over: HarborError | null = null;

  /** As `Engine.start`. @throws HarborError as that does, and when it is given up */
  async start(engine: Engine, request: StartRequest, tell?: (doing: string) => void): Promise<Image> {
    if (this.#over) throw this.#over;
    const start = new AbortController();
    this.#starts.add(start);
    try {
      return await engine.start(
        { ...request, launcher: launcherUntil(start.signal, request.launcher) },
        tell,
      );
    } finally {
      this.#starts.delete(start);
    }
  }

  /** Gives up those that are under way, and whatever comes after. Images that have started live on. */
  giveUp(): void {
    this.#over = new HarborError('session_ended', 'The harbor is ending; no image is started.');
    for (const start of this.#starts) start.abort(this.#over);
  }
}

/** Launches as `launcher` does until `signal` aborts: that kills what it has launched, and nothing is launched after. */
function launcherUntil(signal: AbortSignal, launcher: Launcher): Launcher {
  return {
    sandbox: launcher.sandbox,
    launch: (program, confinement) => {
      signal.throwIfAborted();
      const launched = launcher.launch(program, confinement);
      const kill = () => void launched.signal('SIGKILL');
      signal.addEventListener('abort', kill);
      void launched.ended.then(() => signal.removeEventListener('abort', kill));
      return launched;
    },
  };
}
