/** How a server of the document is started and configured: ports, environment, transports, what it says on stderr. */
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { call } from '../evaluation';
import { freePort } from '../free-port';
import { StartedHarbor, spawnServe, temporaryFolder } from '../started-harbor';
import { StdioLines } from '../stdio-client';

describe('MCP-nREPL: the server', () => {
  it('S4-8 S4-9 S4-17 listens on the port that it is given, and says who has one that is taken', async () => {
    const port = await freePort();
    const harbor = await StartedHarbor.start({ args: ['--port', String(port)] });
    expect(new URL(harbor.ready.mcp).port).toBe(String(port));
    expect((await fetch(`http://127.0.0.1:${port}/health`)).status).toBe(200);
    const other = spawnServe(['--data', temporaryFolder('data'), '--port', String(port)]);
    if (!other.stderr) throw new Error('serve was started without pipes');
    const [said, [code]] = await Promise.all([text(other.stderr), once(other, 'exit')]);
    expect(code).toBe(1);
    expect(said).toMatch(new RegExp(`Port ${port} is in use`));
    await harbor.stop();
  });

  it('S4-10 takes the port from the environment', async () => {
    const port = await freePort();
    const child = spawnServe(['--data', temporaryFolder('data'), '--project', temporaryFolder('project')], {
      MCP_HTTP_PORT: String(port),
    });
    const [line] = await once(child.stdout as NodeJS.ReadableStream, 'data');
    expect(JSON.parse(String(line)).mcp).toBe(`http://127.0.0.1:${port}/mcp`);
    child.kill('SIGTERM');
    await once(child, 'exit');
  });

  it('S4-12 logs on stderr when asked, and is quiet there otherwise', async () => {
    for (const [debug, said] of [
      ['false', /^$/],
      ['true', /^debug .*serve calls images over http$/m],
    ] as const) {
      const harbor = await StartedHarbor.start({ env: { MCP_DEBUG: debug } });
      let printed = '';
      harbor.child.stderr?.on('data', (chunk: Buffer) => {
        printed += chunk.toString();
      });
      await call(await harbor.client(), 'images');
      await harbor.stop();
      expect(printed).toMatch(said);
    }
  });

  it('S4-11 S4-13 S4-6 speaks over stdio, with the tools of its profile', async () => {
    const harbor = await StartedHarbor.start({ args: ['--profile', 'nrepl'] });
    const stdio = new StdioLines(harbor, ['--profile', 'nrepl']);
    await stdio.initialize();
    const { result } = await stdio.ask({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });
    const { tools } = await (await harbor.client()).listTools();
    const names = ((result?.tools ?? []) as { name: string }[]).map(({ name }) => name);
    expect(names).toEqual(tools.map(({ name }) => name));
    expect(names).toContain('nrepl-eval');
    await stdio.end();
    await harbor.stop();
  });

  it('S4-42 remembers when each session was opened and used', async () => {
    const harbor = await StartedHarbor.start();
    const client = await harbor.client();
    await call(client, 'eval', { code: '(+ 1 2)' });
    const used = async () => {
      const { structured } = await call<{ sessions: { started_at: string; last_used_at: string }[] }>(
        client,
        'images',
      );
      return structured.sessions[0];
    };
    const first = await used();
    await call(client, 'eval', { code: '(+ 1 2)' });
    const second = await used();
    expect(second?.started_at).toBe(first?.started_at);
    expect(Date.parse(second?.last_used_at ?? '')).toBeGreaterThan(Date.parse(first?.last_used_at ?? ''));
    await harbor.stop();
  });
});
