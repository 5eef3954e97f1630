/** Notices when a server says nothing for too long while we introduce ourselves to it. */
import type net from 'node:net';

export class Silence {
  readonly #socket: net.Socket;
  readonly #timer: NodeJS.Timeout;
  #over = false;

  /** @param giveUp called once it has lasted for so many milliseconds */
  constructor(socket: net.Socket, milliseconds: number, giveUp: () => void) {
    this.#socket = socket;
    this.#timer = setTimeout(() => {
      this.#over = true;
      giveUp();
    }, milliseconds);
    socket.on('data', this.#heard);
  }

  /** Whether the server was given up. */
  get over(): boolean {
    return this.#over;
  }

  /** It may be silent from now on. */
  end(): void {
    clearTimeout(this.#timer);
    this.#socket.off('data', this.#heard);
  }

  readonly #heard = (): void => void this.#timer.refresh();
}
