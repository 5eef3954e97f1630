/** Folders that are served over HTTP on this computer, as one, with checksums: what package managers fetch from in tests. */
import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';

export class WebFolder {
  /** Paths that were asked for and found. */
  readonly served: string[] = [];
  /** Answers to what is never finished. */
  readonly held: ServerResponse[] = [];
  readonly port: number;
  readonly url: string;
  readonly #server: Server;

  /** @param holds whether an answer is begun and never finished */
  static async start(
    folders: readonly string[],
    holds: (path: string) => boolean = () => false,
  ): Promise<WebFolder> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new WebFolder(server, folders, holds);
  }

  private constructor(server: Server, folders: readonly string[], holds: (path: string) => boolean) {
    this.#server = server;
    this.port = (server.address() as AddressInfo).port;
    this.url = `http://127.0.0.1:${this.port}/`;
    server.on('request', ({ url = '/' }, response) => {
      const name = decodeURIComponent(url);
      const content = this.#content(folders, name);
      if (content === null) return response.writeHead(404).end();
      this.served.push(name);
      response.writeHead(200, { 'content-length': content.length });
      if (!holds(name)) return response.end(content);
      response.flushHeaders();
      return this.held.push(response);
    });
  }

  #content(folders: readonly string[], name: string): Buffer | null {
    const checked = name.replace(/\.sha1$/, '');
    const file = folders.map((folder) => path.join(folder, checked)).find(isFile);
    if (file === undefined) return null;
    const content = readFileSync(file);
    return checked === name ? content : Buffer.from(createHash('sha1').update(content).digest('hex'));
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

function isFile(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isFile() ?? false;
}
