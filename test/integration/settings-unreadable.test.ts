/** No entry starts a harbor on settings whose restrictions it cannot read: each says where the mistake is, and ends. */
import { spawn } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call } from '../evaluation';
import { ROOT, StartedHarbor, spawnServe, temporaryFolder } from '../started-harbor';

const BROKEN = '{\n  "approvals": [{ "class": "evaluate", "answer": "deny" }],\n  "cpuSeconds": "60"\n}';
const WHERE = /settings\.json cannot be read: line 3, column 17: cpuSeconds: .*does not start/;

let data: string;
const file = () => path.join(data, 'settings.json');

beforeAll(() => {
  data = temporaryFolder('data');
  writeFileSync(file(), BROKEN);
});
afterAll(() => rmSync(data, { recursive: true, force: true }));

async function ended(child: ReturnType<typeof spawnServe>): Promise<{ code: number | null; said: string }> {
  child.stdin?.end('{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
  if (!child.stdout || !child.stderr) throw new Error('it was started without pipes');
  const code = new Promise<number | null>((resolve) => child.on('exit', resolve));
  const said = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await code, said: said.join('\n') };
}

function entry(name: string, ...args: string[]) {
  const env = { ...process.env, ELECTRON_RUN_AS_NODE: '1' };
  return spawn(process.execPath, [path.join(ROOT, `out/electron/${name}.js`), ...args, '--data', data], {
    env,
  });
}

describe('settings that cannot be read', () => {
  it('end serve with the place', async () => {
    const { code, said } = await ended(spawnServe(['--data', data, '--port', '0']));
    expect(code).toBe(1);
    expect(said).toMatch(WHERE);
  });

  it.each([
    ['stdio', []],
    ['command-line', ['repl']],
  ] as const)('are told by %s, which starts a hidden harbor', async (name, args) => {
    const { said } = await ended(entry(name, ...args));
    expect(said).toMatch(WHERE);
  });

  it('are left as they are, and hold once they are corrected', async () => {
    expect(readFileSync(file(), 'utf8')).toBe(BROKEN);
    writeFileSync(file(), BROKEN.replace('"60"', '60').replace('{', '{ "thme": "dark",'));
    const harbor = await StartedHarbor.start({ data });
    const client = await harbor.client();
    expect((await call(client, 'eval', { code: '1' })).text).toContain('not_approved');
    await harbor.stop();
  });
});
