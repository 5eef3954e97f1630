/** MCP clients as agents’ programs run them: the official SDK, over HTTP, with a token. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Page } from '@playwright/test';

/** Connects with a token of its own. The name is the one that the history shows. */
export async function connectAgent(page: Page, name: string): Promise<Client> {
  const { token, url } = await page.evaluate(async (client) => {
    const { invoke } = window.bridge;
    const issued = await invoke('tokens:issue', { name: client, scopes: ['read', 'evaluate'] });
    const status = await invoke('harbor:status', null);
    return { token: issued.ok && issued.value.token, url: status.ok && status.value.endpoint.url };
  }, name);
  if (!token || !url) throw new Error('The harbor issues no token, or the endpoint does not listen.');
  // A program that is known to show answers to a model would be sent no data.
  const client = new Client({ name: 'test', version: '1.0.0' });
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
  return client;
}

/** An MCP client with one session. */
export class Agent {
  readonly #client: Client;
  readonly #session: string;

  private constructor(client: Client, session: string) {
    this.#client = client;
    this.#session = session;
  }

  static async connect(
    page: Page,
    client: string,
    session: { engine: string; name: string },
  ): Promise<Agent> {
    const connected = await connectAgent(page, client);
    const { structuredContent } = await connected.callTool({ name: 'open_session', arguments: session });
    const { session: handle } = structuredContent as { session: string };
    return new Agent(connected, handle);
  }

  evaluate(code: string, args: Record<string, unknown> = {}): Promise<unknown> {
    return this.#client.callTool({ name: 'eval', arguments: { code, session: this.#session, ...args } });
  }

  /** Certifies a book, or without one all of the project, and answers when that is over. */
  certify(book?: string): Promise<unknown> {
    const which = book === undefined ? {} : { path: book };
    return this.#client.callTool({ name: 'run_tests', arguments: { ...which, session: this.#session } });
  }

  async checkpoint(action: 'save' | 'restore', name: string): Promise<void> {
    await this.#client.callTool({ name: 'checkpoint', arguments: { action, name, session: this.#session } });
  }

  close(): Promise<void> {
    return this.#client.close();
  }
}
