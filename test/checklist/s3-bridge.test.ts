/** Rows of the ACL2 Bridge: a client in Python, as existing ones are written, speaks to the port of a started harbor. */
import { readFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { call } from '../evaluation';
import { freePort } from '../free-port';
import { acl2Processes } from '../processes';
import { PythonBridgeClient } from '../python-bridge-client';
import { PATIENT, StartedHarbor, spawnServe } from '../started-harbor';

const STATE = 'ACL2_INVISIBLE::|The Live State Itself|';

let harbor: StartedHarbor;
let port: number;
beforeAll(async () => {
  harbor = await StartedHarbor.start({ args: ['--bridge-port', '0'] });
  port = harbor.ready.bridge ?? 0;
});
afterAll(() => harbor.stop());

async function connect(counts?: 'bytes' | 'characters'): Promise<PythonBridgeClient> {
  const client = await PythonBridgeClient.connect(port, counts);
  onTestFinished(() => client.close());
  return client;
}

describe('[S3-23] the Bridge protocol', () => {
  it('S3-23 answers each type of command in its own encoding', async () => {
    const client = await connect();
    expect(client.worker).toMatch(/^bridge-worker-\d+$/);
    const values = '(mv \'(a (b . "c")) 1/2 nil)';
    expect(await client.command('LISP', values)).toEqual({ RETURN: '(A (B . "c"))' });
    expect(await client.command('LISP_MV', values)).toEqual({ RETURN: '((A (B . "c")) 1/2 NIL)' });
    expect(await client.command('JSON', values)).toEqual({ RETURN: '["A",["B","c"]]' });
    const all = await client.value('JSON_MV', values);
    expect(JSON.parse(all ?? '')).toEqual([['A', ['B', 'c']], '1/2', 'NIL']);
  });

  it.each(['bytes', 'characters'] as const)('S3-23 takes lengths in %s, newlines and all', async (counts) => {
    const client = await connect(counts);
    const content = '(list "λ→😀"\n"two\nlines")';
    expect(await client.value('LISP', content)).toBe('("λ→😀" "two\nlines")');
    expect(JSON.parse((await client.value('JSON', content)) ?? '')).toEqual(['λ→😀', 'two\nlines']);
  });

  it('S3-23 tells what is printed and what went wrong apart from values, and goes on', async () => {
    const client = await connect();
    expect(await client.command('LISP', '(prog2$ (cw "hello~%λ~%") 7)')).toEqual({
      STDOUT: 'hello\nλ\n',
      RETURN: '7',
    });
    const refused = await client.command('LISP', '(thm (equal x y))');
    expect(refused).toEqual({
      STDOUT: expect.stringContaining('Key checkpoint'),
      ERROR: expect.stringMatching(/^Error during executing command:\nACL2 Error/),
    });
    expect(await client.command('XML', '(+ 1 2)')).toEqual({
      ERROR: expect.stringContaining('XML is none of LISP, LISP_MV, JSON, JSON_MV'),
    });
    expect(await client.command('LISP', '(+ 1 2)')).toEqual({ RETURN: '3' });
  });
});

describe('[S3-39] what existing clients send', () => {
  let client: PythonBridgeClient;
  beforeAll(async () => {
    client = await PythonBridgeClient.connect(port);
  });
  afterAll(() => client.close());

  it.each([
    ['LISP', '(+ 1 2)', '3'],
    ['LISP', '(* 6 7)', '42'],
    ['LISP', "(cons 'a '(b c))", '(A B C)'],
    ['LISP', '"hello world"', '"hello world"'],
    ['LISP', 'nil', 'NIL'],
    ['LISP', 't', 'T'],
    ['LISP_MV', '(mv (floor 17 5) (mod 17 5))', '(3 2)'],
    ['LISP_MV', '(values 1 2 3)', '(1 2 3)'],
    ['LISP_MV', '(+ 1 2)', '(3)'],
    ['JSON', '42', '"42"'],
    ['JSON', "'(1 2 3)", '["1","2","3"]'],
    ['JSON', '"test"', '"test"'],
    ['JSON_MV', "(values 'a 'b 'c)", '["A","B","C"]'],
    ['JSON', '(pairlis$ \'(a :b "c") \'(1 (2 3) nil))', '{"A":"1",":B":["2","3"],\n"c":"NIL"}'],
    ['LISP', '(acl2::current-package acl2::state)', '"ACL2"'],
    ['JSON', "(cdr (assoc 'acl2-version *initial-global-table*))", expect.stringMatching(/^"ACL2 Version /)],
  ])('S3-39 %s %s', async (type, content, expected) => {
    expect(await client.command(type, content)).toEqual({ RETURN: expected });
  });

  it.each(['(undefined-function-xyz)', '(+ 1', '(bridge::stop)'])('S3-39 ERROR for %s', async (content) => {
    expect(await client.command('LISP', content)).toMatchObject({ ERROR: expect.any(String) });
  });

  it('S3-39 events and their LD in the main thread', async () => {
    const proved = await client.command(
      'LISP_MV',
      "(bridge::in-main-thread (ld '((defun twice (x) (declare (xargs :guard (natp x))) (* 2 x)) (twice 21))))",
    );
    expect(proved.RETURN).toBe(`(NIL :EOF ${STATE})`);
    expect(proved.STDOUT).toMatch(/TWICE[\s\S]*42/);
    const options =
      ':ld-pre-eval-print nil :ld-post-eval-print nil :ld-verbose nil :ld-error-action :return!';
    const refused = await client.command('LISP_MV', `(bridge::in-main-thread (ld '((thm nil)) ${options}))`);
    expect(refused.RETURN).toMatch(/^\(NIL \(:STOP-LD \d\) /);
    expect(await client.value('LISP', '(bridge::try-in-main-thread (twice 4))')).toBe('8');
    expect(await client.value('LISP', "(bridge::in-main-thread (memoize 'twice) (twice 37))")).toBe('74');
  });
});

it('[S3-22] has one ACL2 for each connection, with its own world, and none that is left over', async () => {
  const processes = () => acl2Processes(harbor.child.pid);
  const [one, other] = [await connect(), await connect()];
  await one.command('LISP', '(defconst *c* 1)');
  await other.command('LISP', '(defconst *c* 2)');
  expect([await one.value('LISP', '*c*'), await other.value('LISP', '*c*')]).toEqual(['1', '2']);
  await expect.poll(processes, PATIENT).toHaveLength(2);
  await one.close();
  await expect.poll(processes, PATIENT).toHaveLength(1);
  expect(await other.value('LISP', '*c*')).toBe('2');
  await other.close();
  await expect.poll(processes, PATIENT).toEqual([]);
});

it('[S3-35] serves MCP alone or with the Bridge, ends both, and is not started twice', async () => {
  const alone = await StartedHarbor.start();
  onTestFinished(async () => void (await alone.stop()));
  expect(alone.ready).not.toHaveProperty('bridge');
  expect((await call(await alone.client(), 'images')).isError).toBe(false);

  const both = await StartedHarbor.start({ args: ['--bridge-port', '0'] });
  onTestFinished(async () => void (await both.stop()));
  const bridge = both.ready.bridge ?? 0;
  const client = await PythonBridgeClient.connect(bridge);
  expect(await client.value('LISP', '(+ 1 2)')).toBe('3');
  const { structured } = await call<{ endpoints: string[] }>(await both.client(), 'images');
  expect(structured.endpoints).toContain(`acl2-bridge://127.0.0.1:${bridge}`);

  expect(await refusal(['--data', both.data])).toContain('is in use by');
  expect(await refusal(['--data', `${alone.project}/data`, '--bridge-port', String(bridge)])).toContain(
    `Port ${bridge} is in use by another program. Choose another with --bridge-port N`,
  );

  expect(await both.stop()).toBe(0);
  await client.close();
  for (const closed of [bridge, Number(new URL(both.ready.mcp).port)])
    expect(await connectionTo(closed)).toBe('ECONNREFUSED');
});

it('[S3-44] listens on the ports that are asked for, on this computer only', async () => {
  const ports = [await freePort(), await freePort()] as const;
  const asked = ['--port', String(ports[0]), '--bridge-port', String(ports[1])];
  const own = await StartedHarbor.start({ args: asked });
  onTestFinished(async () => void (await own.stop()));
  expect(own.ready).toMatchObject({ mcp: `http://127.0.0.1:${ports[0]}/mcp`, bridge: ports[1] });
  for (const wanted of ports) expect(addressesOf(wanted)).toEqual(['0100007F']);
});

/** What a `serve` says that is refused. */
async function refusal(args: string[]): Promise<string> {
  const { stderr } = spawnServe(['--port', '0', '--project', harbor.project, ...args]);
  if (!stderr) throw new Error('serve was started without pipes');
  return text(stderr);
}

function connectionTo(to: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = createConnection(to, '127.0.0.1', () => {
      socket.destroy();
      resolve('open');
    });
    socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code));
  });
}

/** The local addresses that listen on a port, in hexadecimal (proc_pid_net(5)): 0100007F is 127.0.0.1. */
function addressesOf(wanted: number): (string | undefined)[] {
  const lines = ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((file) => readFileSync(file, 'utf8').split('\n'));
  return lines
    .map((line) => line.trim().split(/\s+/))
    .filter(
      ([, local, , state]) => state === '0A' && Number.parseInt(local?.split(':')[1] ?? '', 16) === wanted,
    )
    .map(([, local]) => local?.split(':')[0]);
}
