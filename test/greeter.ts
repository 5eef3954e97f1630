/** A server of this computer that greets whoever connects: what an image with a network reaches, and one without does not. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

export class Greeter {
  readonly port: number;
  readonly #server: Server;

  static async listen(): Promise<Greeter> {
    // Whoever was greeted may keep its end open for ever.
    const server = createServer((socket) => {
      socket.on('error', () => undefined).end('hello\n', () => socket.destroy());
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new Greeter(server);
  }

  private constructor(server: Server) {
    const address = server.address();
    if (typeof address !== 'object' || address === null) throw new Error('The greeter has no port.');
    this.port = address.port;
    this.#server = server;
  }

  /** A form for SBCL whose value is the greeting, or :UNREACHED. */
  get form(): string {
    return `(handler-case
              (let ((socket (make-instance 'sb-bsd-sockets:inet-socket :type :stream :protocol :tcp)))
                (sb-bsd-sockets:socket-connect socket #(127 0 0 1) ${this.port})
                (values (read-line (sb-bsd-sockets:socket-make-stream socket :input t))))
              (sb-bsd-sockets:socket-error () :unreached))`;
  }

  async close(): Promise<void> {
    this.#server.close();
    await once(this.#server, 'close');
  }
}
