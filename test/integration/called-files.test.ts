/** How many files of the product an evaluation over HTTP passes through. */
import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { ROOT, StartedHarbor, temporaryFolder } from '../started-harbor';

/** Every function counts, also a getter, a listener and a check that finds nothing to do. */
const MOST = 105;
/** On a busy machine an evaluation takes so long that timers fire in most rounds. */
const MOST_ROUNDS = 40;
const VERSION = '2025-11-25';

const folder = temporaryFolder('called-files');
const harbor = await StartedHarbor.start({
  command: [
    process.execPath,
    '--import',
    path.join(ROOT, 'test/called-files.mjs'),
    path.join(ROOT, 'out/electron/serve.js'),
  ],
});
afterAll(async () => {
  await harbor.stop();
  rmSync(folder, { recursive: true });
});

let sent = 0;

function post(body: object, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  sent += 1;
  return fetch(harbor.ready.mcp, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${harbor.ready.token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', ...body }),
  });
}

it(`runs functions of at most ${MOST} files from the request to the response`, async () => {
  const clientInfo = { name: 'test', version: '1' };
  const opened = await post({
    id: 0,
    method: 'initialize',
    params: { protocolVersion: VERSION, capabilities: {}, clientInfo },
  });
  const session = {
    'mcp-session-id': opened.headers.get('mcp-session-id') ?? '',
    'mcp-protocol-version': VERSION,
  };
  await post({ method: 'notifications/initialized' }, session);
  const evaluate = async (headers: Readonly<Record<string, string>> = {}) => {
    const params = { name: 'eval', arguments: { code: '(+ 1 2)' } };
    const answer = await post({ id: sent, method: 'tools/call', params }, { ...session, ...headers });
    expect(await answer.text()).toContain('=> 3');
  };
  // Warm: the image runs, and what is shown once was shown.
  for (let round = 0; round < 5; round += 1) await evaluate();
  // A file that is not called in each round belongs to a timer.
  let called: string[] = [];
  for (let round = 0; round < 4 || (called.length > MOST && round < MOST_ROUNDS); round += 1) {
    const target = path.join(folder, String(round));
    await evaluate({ 'x-called-files': target });
    const files: string[] = JSON.parse(readFileSync(target, 'utf8'));
    called = round === 0 ? files : called.filter((file) => files.includes(file));
  }
  console.log(`An evaluation over HTTP runs functions of ${called.length} files.`);
  expect(called).toContain('electron/sessions/session/session.ts');
  expect(called.length, called.join('\n')).toBeLessThanOrEqual(MOST);
});
