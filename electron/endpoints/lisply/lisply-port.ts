/** The port on which programs that know no token find Lisply: they share one session. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Client } from '../../contract/model';
import type { LisplyView } from '../../contract/ports';
import type { Log } from '../../host/log';
import { refuse } from '../http/http-answer';
import { LoopbackHttp } from '../http/loopback-http';
import { LOOPBACK } from '../loopback';
import { REFUSED } from '../mcp/json-rpc';
import type { ProtocolPort } from '../protocol-port';
import type { LisplyHttp } from './lisply-http';
import { lisplyPath, nowhere } from './lisply-route';

export interface LisplyPortOptions {
  lisply: LisplyHttp;
  /** In whose name everything is evaluated here. */
  client: Client;
  log: Log;
  /** `view` would answer something else now. */
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

  /** null while it does not listen. */
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
