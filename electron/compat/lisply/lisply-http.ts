/** Lisply over HTTP, for authenticated clients, and on a port of its own. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { LisplyView } from '../../contract/harbor-status';
import type { Client } from '../../contract/model';
import { noteTexts } from '../../contract/note';
import { disconnectSignal, readJson, refuse, sendJson, sendText } from '../../endpoints/http/http-messages';

import type { HttpMount, MountRoute } from '../../endpoints/http/http-server';
import { LoopbackHttp } from '../../endpoints/http/loopback-http';
import { LOOPBACK, type ProtocolPort } from '../../endpoints/loopback';
import { REFUSED } from '../../endpoints/mcp/json-rpc';

import type { Log } from '../../host/log';
import type { Connection } from '../../tools/toolbox';
import {
  type LisplyBackend,
  type LisplyReply,
  type LisplyRoute,
  lisplyPath,
  nowhere,
} from './lisply-backend';

interface LisplyRequest extends LisplyRoute {
  client: Client;
}

interface LisplyHttpOptions {
  /** Start of its paths, without slashes around it. */
  prefix: string;
  backend: LisplyBackend;
  /**
   * Returns the connection whose default session serves a client's requests.
   * @throws HarborError `project_not_approved`
   */
  connectionOf: (client: Client) => Connection;
}

export class LisplyHttp implements HttpMount {
  readonly #options: LisplyHttpOptions;

  constructor(options: LisplyHttpOptions) {
    this.#options = options;
  }

  get prefix(): string {
    return this.#options.prefix;
  }

  route(method: string, path: string): MountRoute | null {
    const found = lisplyPath(method, path, this.#options.prefix);
    if (found?.to !== 'lisply') return found;
    return {
      to: 'mount',
      serve: (req, res, client) => this.serve(req, res, { ...found, client }),
      failure: (error) => ({ success: false, error }),
    };
  }

  async serve(req: IncomingMessage, res: ServerResponse, request: LisplyRequest): Promise<void> {
    const { backend, connectionOf } = this.#options;
    const signal = disconnectSignal(res);
    const body = request.operation === 'eval' ? await readJson(req) : { ok: true as const, value: undefined };
    if (!body.ok) return sendJson(res, body.status, { success: false, error: body.message });
    const sessionOf: Connection['session'] = async (handle, grant) =>
      connectionOf(request.client).session(handle, grant);
    send(res, await backend.answer({ ...request, sessionOf, body: body.value, signal }));
  }
}

/** Maximum characters of the header with notes. The history has them whole. */
const MAX_NOTES_LENGTH = 2_000;

function send(res: ServerResponse, { status, body, notes }: LisplyReply): void {
  const header = noteTexts(notes).join('\n').slice(0, MAX_NOTES_LENGTH).toWellFormed();
  if (header !== '') res.setHeader('x-lisp-harbor-notes', encodeURIComponent(header));
  if (typeof body === 'string') sendText(res, status, body, 'text/plain; charset=utf-8');
  else sendJson(res, status, body);
}

/** The port for programs without a token. They share one session. */
interface LisplyPortOptions {
  lisply: LisplyHttp;
  /** The client of all evaluations on this port. */
  client: Client;
  log: Log;
  /** Called when `view` has changed. */
  changed: () => void;
}

export class LisplyPort implements ProtocolPort<LisplyView | null> {
  readonly #options: LisplyPortOptions;
  readonly #http: LoopbackHttp;

  constructor(options: LisplyPortOptions) {
    this.#options = options;
    const { log } = options;
    this.#http = new LoopbackHttp({
      option: '--lisply-port',
      answer: (req, res) => this.#dispatch(req, res),
      log,
    });
  }

  /** null while the port is closed. */
  get view(): LisplyView | null {
    const { port } = this.#http;
    if (port === null) return null;
    return { host: LOOPBACK, port, url: `http://${LOOPBACK}:${port}/${this.#options.lisply.prefix}` };
  }

  get addresses(): string[] {
    const { view } = this;
    return view ? [view.url] : [];
  }

  async listen(port: number): Promise<void> {
    await this.#http.listen(port);
    this.#options.changed();
  }

  async close(): Promise<void> {
    if (this.#http.port !== null) await this.#http.close();
  }

  async #dispatch(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { method = '', url = '' } = req;
    const { lisply, client } = this.#options;
    const route = lisplyPath(method, url.split('?', 1)[0] ?? '', lisply.prefix);
    switch (route?.to) {
      case 'lisply':
        return lisply.serve(req, res, { ...route, client });
      case 'wrong-method':
      case 'preflight':
        return refuse(res, 405, REFUSED, 'Method not allowed', { headers: { allow: route.allow } });
      default:
        return refuse(res, 404, REFUSED, nowhere(lisply.prefix));
    }
  }
}
