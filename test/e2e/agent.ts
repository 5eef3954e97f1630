/** An MCP client as an agent's program runs one: the official SDK, over HTTP, with a token from the window. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Page } from '@playwright/test';
import { issueToken } from './steps';

/** Issues a token in the window and connects with it. The name is the one that the history shows. */
export async function connectAgent(page: Page, name: string): Promise<Client> {
  const token = await issueToken(page, name);
  const status = await page.evaluate(() => window.bridge.invoke('harbor:status', null));
  if (!status.ok || status.value.endpoint.url === null) throw new Error('The endpoint does not listen.');
  const client = new Client({ name, version: '1.0.0' });
  const headers = { authorization: `Bearer ${token}` };
  await client.connect(
    new StreamableHTTPClientTransport(new URL(status.value.endpoint.url), { requestInit: { headers } }),
  );
  return client;
}
