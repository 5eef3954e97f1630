/** A server of newer versions, as electron-updater's generic provider asks it: https://www.electron.build/auto-update */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Offer {
  version: string;
  /** Its name says which kind of package it is. */
  file: string;
  bytes: Buffer;
  /** Announced instead of the right digest. */
  sha512?: string;
}

export class UpdateFeed {
  /** Paths that were asked for. */
  readonly requests: string[] = [];
  readonly #server: Server;
  #files = new Map<string, Buffer>();

  static async start(): Promise<UpdateFeed> {
    const feed = new UpdateFeed();
    feed.#server.listen(0, '127.0.0.1');
    await once(feed.#server, 'listening');
    return feed;
  }

  private constructor() {
    this.#server = createServer(({ url = '/' }, response) => {
      const asked = new URL(url, 'http://feed').pathname.slice(1);
      this.requests.push(asked);
      const bytes = this.#files.get(decodeURIComponent(asked));
      if (bytes === undefined) response.writeHead(404).end();
      else response.writeHead(200, { 'content-length': bytes.length }).end(bytes);
    });
  }

  /** What a build writes beside the app, for this server. */
  get config(): string {
    const { port } = this.#server.address() as AddressInfo;
    return `provider: generic\nurl: http://127.0.0.1:${port}/\nupdaterCacheDirName: lisp-harbor-updater\n`;
  }

  /** Offers that version alone, on one channel. */
  offer(channel: 'latest' | 'beta', { version, file, bytes, sha512 = digest(bytes) }: Offer): void {
    const lines = [
      `version: ${version}`,
      'files:',
      `  - url: ${file}`,
      `    sha512: ${sha512}`,
      `    size: ${bytes.length}`,
      `path: ${file}`,
      `sha512: ${sha512}`,
      "releaseDate: '2026-11-25T00:00:00.000Z'",
    ];
    const announced = Buffer.from(`${lines.join('\n')}\n`);
    this.#files = new Map([
      [`${channel}-linux.yml`, announced],
      [file, bytes],
    ]);
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}

function digest(bytes: Buffer): string {
  return createHash('sha512').update(bytes).digest('base64');
}
