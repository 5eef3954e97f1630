/** A wrapper of Lisply for tests: it asks the three endpoints over HTTP, with a token or without. */
import { LISPLY_TOOLS } from '../electron/compat/lisply/lisply-backend';

export interface LisplyAnswer {
  status: number;
  type: string | null;
  /** Parsed when it is JSON. */
  body: unknown;
  text: string;
}

export class LisplyClient {
  readonly #base: string;
  readonly #headers: Record<string, string>;

  /** @param base such as http://127.0.0.1:9081/lisply */
  constructor(base: string, token?: string) {
    this.#base = base;
    this.#headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  }

  ping(): Promise<LisplyAnswer> {
    return this.ask('ping-lisp');
  }

  tools(): Promise<LisplyAnswer> {
    return this.ask('tools/list');
  }

  /** @param more further members of the request, such as `package` */
  evaluate(code: string, more: Record<string, unknown> = {}, signal?: AbortSignal): Promise<LisplyAnswer> {
    return this.post({ code, ...more }, signal);
  }

  post(body: unknown, signal?: AbortSignal): Promise<LisplyAnswer> {
    return this.ask('lisp-eval', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
      ...(signal ? { signal } : {}),
    });
  }

  async ask(path: string, request: RequestInit = {}): Promise<LisplyAnswer> {
    const headers = { ...this.#headers, ...(request.headers as Record<string, string> | undefined) };
    const response = await fetch(`${this.#base}/${path}`, { ...request, headers });
    const text = await response.text();
    const type = response.headers.get('content-type');
    const body: unknown = type?.startsWith('application/json') ? JSON.parse(text) : text;
    return { status: response.status, type, body, text };
  }

  /** The four compliance tests of Lisply's document, as an implementation answers them. */
  async compliance(): Promise<unknown[]> {
    const ping = await this.ping();
    const tools = await this.tools();
    const sum = await this.evaluate('(+ 1 2 3)');
    const named = await this.evaluate('(package-name *package*)', { package: 'gdl-user' });
    return [ping.status, ping.text.length > 0, tools.status, tools.body, sum.body, named.body];
  }
}

/** What `compliance` answers of an implementation that passes; `named` is its answer about a package. */
export const compliant = (named: object = { success: true, result: '"GDL-USER"', stdout: '' }): unknown[] => [
  200,
  true,
  200,
  LISPLY_TOOLS,
  { success: true, result: '6', stdout: '' },
  named,
];
