/** Attaching to a port: servers in other Lisps, servers with a secret, and processes that are not servers. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { noteTexts } from '../../electron/contract/note';
import { isListening } from '../../electron/images/attachable-servers';
import { PATIENT } from '../started-harbor';
import { COMPILING_MS, SwankServer } from '../swank-server';
import { attach, evaluate, hold } from './swank-fixture';

beforeAll(async () => {
  for (const lisp of ['sbcl', 'ecl'] as const) await (await SwankServer.start({ lisp })).stop();
}, COMPILING_MS);

const ends: (() => Promise<unknown> | undefined)[] = [];

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function started(options: Parameters<typeof SwankServer.start>[0] = {}): Promise<SwankServer> {
  const server = await SwankServer.start(options);
  ends.push(() => server.stop());
  return server;
}

/** Something that listens; it does as it is told with each connection. */
async function listener(serve: (socket: net.Socket) => void): Promise<number> {
  const server = net.createServer((socket) => {
    socket.on('error', () => socket.destroy());
    ends.push(async () => socket.destroy());
    serve(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ends.push(() => new Promise((resolve) => server.close(resolve)));
  return (server.address() as net.AddressInfo).port;
}

describe('a server in ECL', () => {
  it('evaluates, is interrupted, debugged, inspected and asked as one in SBCL', async () => {
    const server = await started({ lisp: 'ecl' });
    const image = await attach(server.port);
    expect(noteTexts(image.introduction ?? []).join()).toMatch(/attached to ECL 2\d/);
    const values = await evaluate(
      image,
      '(values 1 "two") (print :out) (warn "careful") (defun f (x) (list (car x) x))',
    );
    expect(values).toMatchObject({ outcome: 'ok', warnings: [{ message: 'careful', form: 2 }] });
    expect(values.values.slice(0, 2)).toEqual(['1', '"two"']);
    expect(values.stdout).toContain(':OUT');
    const failed = await evaluate(image, '(f 3)');
    expect(failed.condition).toMatchObject({ type: expect.stringMatching(/TYPE-ERROR$/), level: 1 });
    expect(failed.condition?.frames.length).toBeGreaterThan(0);
    const read = await evaluate(image, '(read-line)', { input: async () => 'typed' });
    expect(read.values[0]).toBe('"typed"');
    const held = await hold(image, '(restart-case (error "bad") (seven () 7))');
    expect((await evaluate(image, '(+ 1 2)', { level: 1 })).values).toEqual(['3']);
    await image.debugger?.restart({ restart: 'seven' });
    expect((await held.outcome).forms.at(-1)?.values).toEqual(['7']);
    const running = image.evaluate({ id: 999, code: '(loop (sleep 0.01))' }, () => undefined);
    await expect.poll(() => image.interrupt(999, 'cooperative'), PATIENT).toBe(true);
    expect((await running).outcome).toBe('interrupted');
    await evaluate(image, '(list :a (list 2))');
    const inspected = await image.inspector?.inspect({ start: { last: true }, path: [1], offset: 0 });
    expect(inspected?.parts).toEqual([{ index: 0, name: '0', text: '2' }]);
    const described = await image.knowledge?.describe({ symbol: 'f' });
    expect(described).toMatchObject({
      symbol: 'F',
      definitions: expect.arrayContaining([expect.objectContaining({ kind: 'function' })]),
    });
  });
});

describe('a server that asks for a secret', () => {
  it('gets the one of ~/.slime-secret, as SLIME sends it', async () => {
    const home = mkdtempSync(path.join(tmpdir(), 'lisp-harbor-home-'));
    ends.push(async () => rmSync(home, { recursive: true, force: true }));
    writeFileSync(path.join(home, '.slime-secret'), 'open sesame\n');
    const server = await started({ home });
    expect((await evaluate(await attach(server.port, home), '(+ 1 2)')).values).toEqual(['3']);
    await expect(attach(server.port)).rejects.toMatchObject({ code: 'engine_failed' });
  });
});

describe('what is no server', () => {
  it('is told: nothing listens', async () => {
    const port = await listener(() => undefined);
    await ends.pop()?.();
    await expect(attach(port)).rejects.toMatchObject({
      code: 'engine_unavailable',
      message: expect.stringMatching(/No server answers at 127\.0\.0\.1:\d+ \(ECONNREFUSED\)/),
    });
  });

  it.each<[string, (socket: net.Socket) => void, RegExp]>([
    [
      'speaks HTTP',
      (socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'),
      /violated the Swank protocol/,
    ],
    ['closes at once', (socket) => socket.destroy(), /Attaching to .* failed: The server cannot answer/],
    [
      'answers something else',
      (socket) => socket.write('000014(:return (:ok nil) 1)'.replace('000014', '000015')),
      /Attaching to .* failed/,
    ],
  ])('is told: it %s', async (_what, serve, message) => {
    const port = await listener(serve);
    await expect(attach(port)).rejects.toMatchObject({
      code: 'engine_failed',
      message: expect.stringMatching(message),
    });
  });

  it('is told: it says nothing at all', async () => {
    const port = await listener(() => undefined);
    await expect(attach(port)).rejects.toMatchObject({
      code: 'engine_failed',
      message: expect.stringMatching(/did not answer within 5 s/),
    });
  });
});

describe('whether a server listens', () => {
  it('is told without a connection, which could use it up', async () => {
    let connections = 0;
    const port = await listener(() => {
      connections += 1;
    });
    expect(await isListening({ host: '127.0.0.1', port })).toBe(true);
    expect(await isListening({ host: '127.0.0.1', port: 1 })).toBe(false);
    expect(connections).toBe(0);
  });
});
