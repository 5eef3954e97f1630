/** HTTPS: what the HTTP endpoint serves, over TLS with a certificate of the person's. */
import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { connect as connectTls } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CertificateFiles, makeCertificate } from '../certificate';
import { freePort } from '../free-port';
import { StartedHarbor, spawnServe, temporaryFolder } from '../started-harbor';

/** The first evaluation may have to build what images start from. */
const PATIENTLY = { timeout: 120_000 };

const folder = temporaryFolder('certificates');
let own: CertificateFiles;

beforeAll(() => {
  own = makeCertificate(folder, 'own');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const options = (port: number, { cert, key }: CertificateFiles) => [
  ...['--https-port', String(port)],
  ...['--cert', cert],
  ...['--key', key],
];

interface Asked {
  port: number;
  path: string;
  headers?: Record<string, string>;
  body?: string;
}

/** Asks as a client that trusts the certificate and no other. */
async function ask({
  port,
  path: place,
  headers = {},
  body,
}: Asked): Promise<{ status: number; body: string }> {
  const method = body === undefined ? 'GET' : 'POST';
  const ca = readFileSync(own.cert);
  const asking = request({
    host: 'localhost',
    servername: 'localhost',
    port,
    path: place,
    method,
    headers,
    ca,
  });
  asking.end(body);
  const [response] = await once(asking, 'response');
  return { status: response.statusCode, body: await text(response) };
}

/** What `serve` says when it refuses to start, and its exit code. */
async function refusal(args: string[], env: NodeJS.ProcessEnv = {}): Promise<[code: number, said: string]> {
  const child = spawnServe(['--data', path.join(folder, 'data'), '--port', '0', ...args], env);
  if (!child.stderr) throw new Error('serve was started without pipes');
  const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  return [code, said];
}

describe('HTTPS', PATIENTLY, () => {
  it('S0-26 serves MCP and Lisply with the certificate that is given, beside HTTP', async () => {
    const harbor = await StartedHarbor.start({ args: options(0, own) });
    const port = harbor.ready.https ?? 0;
    const socket = connectTls({
      host: '127.0.0.1',
      port,
      servername: 'localhost',
      ca: readFileSync(own.cert),
    });
    await once(socket, 'secureConnect');
    expect(socket.getPeerCertificate().subject.CN).toBe('own');
    expect(socket.getProtocol()).toMatch(/^TLSv1\.[23]$/);
    socket.destroy();

    expect(JSON.parse((await ask({ port, path: '/health' })).body)).toMatchObject({ status: 'ok' });
    const evaluation = {
      port,
      path: '/lisply/lisp-eval',
      body: '{"code":"(+ 1 2 3)"}',
      headers: { 'content-type': 'application/json' },
    };
    expect((await ask(evaluation)).status).toBe(401);
    const headers = { ...evaluation.headers, authorization: `Bearer ${harbor.ready.token}` };
    expect((await ask({ ...evaluation, headers })).body).toBe('{"success":true,"result":"6","stdout":""}');
    const listing = { jsonrpc: '2.0', id: 1, method: 'initialize', params: {} };
    expect((await ask({ port, path: '/mcp', headers, body: JSON.stringify(listing) })).status).toBe(400);
    expect((await fetch(harbor.ready.mcp.replace(/mcp$/, 'health'))).status).toBe(200);
    expect(await harbor.stop()).toBe(0);
  });

  it('S0-26 answers to its own Host and Origin alone, each with its scheme', async () => {
    const harbor = await StartedHarbor.start({ args: options(0, own) });
    const port = harbor.ready.https ?? 0;
    const status = async (headers: Record<string, string>) =>
      (await ask({ port, path: '/health', headers })).status;
    expect(await status({ origin: `https://localhost:${port}` })).toBe(200);
    expect(await status({ origin: `http://localhost:${port}` })).toBe(403);
    expect(await status({ host: 'evil.example' })).toBe(403);
    await expect(fetch(`http://127.0.0.1:${port}/health`)).rejects.toThrow();
    await harbor.stop();
  });

  it('S0-29 opens where the variables ask for it, and for a port alone opens nothing', async () => {
    const port = await freePort();
    const variables = { START_HTTPS: 'true', HTTPS_PORT: String(port) };
    const files = ['--cert', own.cert, '--key', own.key];
    const harbor = await StartedHarbor.start({ env: variables, args: files });
    expect(harbor.ready.https).toBe(port);
    const response = await ask({ port, path: '/health' });
    expect(response.status).toBe(200);
    await harbor.stop();
    const without = await StartedHarbor.start({ env: { HTTPS_PORT: String(port) } });
    expect(without.ready).not.toHaveProperty('https');
    await without.stop();
    expect(await refusal([], variables)).toEqual([2, expect.stringContaining('--cert FILE')]);
  });

  it('S0-26 says what is wrong with a certificate', async () => {
    const other = makeCertificate(folder, 'other');
    const foreign = makeCertificate(folder, 'foreign', 'DNS:harbor.example');
    const noCertificate = path.join(folder, 'no.crt');
    writeFileSync(noCertificate, 'hello');
    const cases: [CertificateFiles, RegExp][] = [
      [{ ...own, cert: path.join(folder, 'none') }, /--cert .*none cannot be read/],
      [{ ...own, cert: noCertificate }, /no\.crt .*PEM certificate/],
      [{ ...own, key: noCertificate }, /no\.crt .*PEM private key/],
      [{ ...own, key: other.key }, /other\.key is not the key of the certificate/],
      [foreign, /localhost.*127\.0\.0\.1.*DNS:harbor\.example/],
    ];
    for (const [files, said] of cases)
      expect(await refusal(options(0, files))).toEqual([2, expect.stringMatching(said)]);
    expect(await refusal(['--https-port', '0'])).toEqual([2, expect.stringContaining('--key FILE')]);
  });
});
