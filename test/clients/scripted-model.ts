/**
 * A model on this computer that follows a script: it calls the tool `eval` with one form after the other, and then has done. It
 * keeps what it was shown, which is what a program makes of our answers.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { MODEL_APIS, type Shown, type Turn } from './model-apis';

export class ScriptedModel {
  readonly #forms: readonly string[];
  readonly #server = createServer((req, res) =>
    // What a program sends that this does not understand, it prints, and the test with it.
    this.#answer(req, res).catch((error: unknown) => res.writeHead(400).end(String(error))),
  );
  #requests = 0;
  /** The request with most results. */
  #last: Shown = { tools: [], results: [] };

  /** @param forms what it evaluates, each in a call of its own */
  static async start(forms: readonly string[]): Promise<ScriptedModel> {
    const model = new ScriptedModel(forms);
    await once(model.#server.listen(0, '127.0.0.1'), 'listening');
    return model;
  }

  private constructor(forms: readonly string[]) {
    this.#forms = forms;
  }

  /** Without a path; what programs put behind it says which API they mean. */
  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** What it was shown, at the end of the script: the tools it could call, and their results in order. */
  get shown(): Shown {
    return this.#last;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await once(this.#server.close(), 'close');
  }

  async #answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { pathname } = new URL(req.url ?? '/', this.url);
    const api = MODEL_APIS.find(({ takes }) => takes(pathname));
    const body = await text(req);
    // Programs ask for more than turns: what models there are, how many tokens. They go on without.
    if (api === undefined || req.method !== 'POST') return void res.writeHead(404).end('{}');
    this.#requests += 1;
    const shown = api.shown(JSON.parse(body));
    if (shown.results.length >= this.#last.results.length) this.#last = shown;
    res.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const [name, data] of api.events(this.#turn(shown), `scripted_${this.#requests}`)) {
      if (name !== null) res.write(`event: ${name}\n`);
      res.write(`data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`);
    }
    res.end();
  }

  #turn({ tools, results }: Shown): Turn {
    const code = this.#forms[results.length];
    // Programs put the server's name before, each in its own way.
    const call = tools.find(({ name }) => /(^|[^a-z])eval$/.test(name));
    // Some ask beside, without tools, for a title or a summary.
    return call === undefined || code === undefined ? { say: 'Done.' } : { call, args: { code } };
  }
}
