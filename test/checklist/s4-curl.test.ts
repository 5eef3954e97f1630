/** The lines of MCP-nREPL's document for curl, as printed but for port and token, and its workflows line by line. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NreplServer, STARTING_MS } from '../nrepl-server';
import { StartedHarbor, temporaryFolder } from '../started-harbor';

let server: NreplServer;
let harbor: StartedHarbor;

beforeAll(async () => {
  const project = temporaryFolder('project');
  server = await NreplServer.onJava(project);
  harbor = await StartedHarbor.start({ project, args: ['--profile', 'nrepl'] });
}, STARTING_MS);
afterAll(async () => {
  await harbor.stop();
  await server.stop();
});

const origin = () => `http://localhost:${new URL(harbor.ready.mcp).port}`;

async function curl(...args: string[]): Promise<string> {
  return (await promisify(execFile)('curl', ['--silent', '--show-error', ...args])).stdout;
}

/** The first text that a posted call of a tool is answered with. */
async function called(name: string, args: object = {}): Promise<string> {
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } };
  const answer = await curl(
    ...['-X', 'POST', `${origin()}/mcp`],
    ...['-H', 'Content-Type: application/json', '-H', `Authorization: Bearer ${harbor.ready.token}`],
    ...['-d', JSON.stringify(body)],
  );
  return JSON.parse(answer).result.content[0].text;
}

describe('MCP-nREPL: curl', () => {
  it('S4-17 S4-26 S4-70 asks for health, and evaluates', async () => {
    expect(JSON.parse(await curl(`${origin()}/health`))).toMatchObject({ status: 'ok' });
    expect(await called('nrepl-eval', { code: '(+ 1 2 3)' })).toBe('6');
  });

  it('S4-71 works in a session of its own', async () => {
    const { 'new-session': session } = JSON.parse(await called('nrepl-new-session'));
    expect(await called('nrepl-eval', { code: '(def my-data [1 2 3 4 5])', session })).toContain('my-data');
    expect(await called('nrepl-eval', { code: '(map inc my-data)', session })).toBe('(2 3 4 5 6)');
  });

  it('S4-72 asks after health, tests and asks for the state', async () => {
    const [header, ...lines] = (await called('nrepl-test')).split('\n');
    expect(header).toMatch(/^Health Test Results: 5\/5 tests passed \(took \d+ms\)$/);
    expect(lines).toHaveLength(5);
    expect(JSON.parse(await called('nrepl-status'))).toMatchObject({
      connected: true,
      port: server.port,
      health: { 'last-test-passed': true },
    });
  });
});
