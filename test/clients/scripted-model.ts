/**
 * A model on this computer that follows a script: it calls one tool after the other, and then has done. It keeps what it was
 * shown, which is what a program makes of our answers.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { MODEL_APIS, type Shown, type Turn } from './model-apis';

/** A call of the script. */
export interface ScriptedCall {
  /** Of the tool, as the program has it. */
  tool: RegExp;
  args: Record<string, unknown>;
}

/** Programs put the server's name before, each in its own way. */
export const evalCall = (code: string): ScriptedCall => ({ tool: /(^|[^a-z])eval$/, args: { code } });

export class ScriptedModel {
  readonly #script: readonly ScriptedCall[];
  readonly #server = createServer((req, res) =>
    // What a program sends that this does not understand, it prints, and the test with it.
    this.#answer(req, res).catch((error: unknown) => res.writeHead(400).end(String(error))),
  );
  #requests = 0;
  /** The request with most results. */
  #last: Shown = { tools: [], results: [] };
  /** That request as it came. */
  #body = '';

  static async start(script: readonly ScriptedCall[]): Promise<ScriptedModel> {
    const model = new ScriptedModel(script);
    await once(model.#server.listen(0, '127.0.0.1'), 'listening');
    return model;
  }

  private constructor(script: readonly ScriptedCall[]) {
    this.#script = script;
  }

  /** Without a path; what programs put behind it says which API they mean. */
  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** What it was shown, at the end of the script: the tools it could call, and their results in order. */
  get shown(): Shown {
    return this.#last;
  }

  /** All of that, with what the program itself said. */
  get body(): string {
    return this.#body;
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
    if (shown.results.length >= this.#last.results.length) [this.#last, this.#body] = [shown, body];
    res.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const [name, data] of api.events(this.#turn(shown), `scripted_${this.#requests}`)) {
      if (name !== null) res.write(`event: ${name}\n`);
      res.write(`data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`);
    }
    res.end();
  }

  #turn({ tools, results }: Shown): Turn {
    const next = this.#script[results.length];
    const call = tools.find(({ name }) => next?.tool.test(name));
    // Some ask beside, without tools, for a title or a summary.
    return call === undefined || next === undefined ? { say: 'Done.' } : { call, args: next.args };
  }
}
