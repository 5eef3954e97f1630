/** Rows of Lisply about backends that somebody else runs: a started harbor is attached to one, here another harbor. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, evaluate, values } from '../evaluation';
import { harborWithBackends } from '../lisply-backends';
import { compliant, LisplyClient } from '../lisply-client';
import { recordedLisply } from '../recorded-lisply';
import { PATIENT, StartedHarbor } from '../started-harbor';

let backend: StartedHarbor;
let url: string;
beforeAll(async () => {
  backend = await StartedHarbor.start({ args: ['--lisply-port', '0'] });
  url = backend.ready.lisply ?? '';
});
afterAll(() => backend.stop());

const attach = (client: Client, to = url) =>
  call<{ session: string; server: string; notes: string[] }>(client, 'open_session', {
    attach: { kind: 'lisply', url: to },
  });

describe('Lisply: a backend of somebody else', { timeout: 120_000 }, () => {
  it('S0-31 S0-38 is attached to by its URL, evaluates, and is the only one that requests reach', async () => {
    const harbor = await harborWithBackends(url);
    const client = await harbor.client('modern');
    const { structured } = await attach(client);
    expect(structured).toMatchObject({ engine: 'lisply', server: new URL(url).host });
    const { session } = structured;

    await new LisplyClient(url).evaluate('(defvar *there* 7)');
    expect(await values(client, '(list *there* (values 1 2))', { session })).toEqual(['(7 1)']);
    const printed = await evaluate(client, '(progn (princ "hi") (package-name *package*))', {
      session,
      package: 'keyword-not-there',
    });
    expect(printed).toMatchObject({ isError: true, structured: { outcome: 'error' } });
    const failed = await evaluate(client, '(error "x ~a" 1)', { session });
    expect(failed.structured.condition?.message).toContain('SIMPLE-ERROR: x 1');
    expect((await evaluate(client, '(princ "hi")', { session })).structured.stdout).toBe('hi');

    const wrapper = await harbor.client('modern', { profile: 'lisply' });
    const request = (args: object) => call(wrapper, 'http_request', { session, ...args });
    expect((await request({ path: '/lisply/ping-lisp' })).first).toBe('pong');
    expect((await call(wrapper, 'ping_lisp', { session })).first).toBe('pong');
    expect((await request({ path: '/none' })).structured).toMatchObject({ status: 404 });
    expect((await request({ path: '//example.com/' })).isError).toBe(true);
    const told = await call(wrapper, 'lisp_eval', { session, code: '*there*' });
    expect(told.text).toMatch(/^Result: 7, Stdout: \nnote: not sandboxed/);
  });

  it('S0-40 is asked for its own documents, below its prefix', async () => {
    const recorded = await recordedLisply();
    const harbor = await harborWithBackends(recorded.url);
    const client = await harbor.client('modern', { profile: 'lisply' });
    const { session } = (await attach(await harbor.client('modern'), recorded.url)).structured;
    expect((await call(client, 'get_docs_list', { session })).structured).toMatchObject({ status: 404 });
    await call(client, 'get_docs', { doc_id: '../lisp-eval?a b', session });
    expect(recorded.asked).toEqual(
      expect.arrayContaining(['GET /lisply/docs/list', 'GET /lisply/docs/..%2Flisp-eval%3Fa%20b']),
    );
    const post = { method: 'POST', path: '/lisply/lisp-eval', body: '{"code":"(+ 1 2 3)"}', session };
    expect(JSON.parse((await call(client, 'http_request', post)).first)).toMatchObject({ result: '6' });
  });

  it('S0-31 S0-32 S0-33 S0-34 S0-35 S0-36 passes the compliance tests through us as it was recorded', async () => {
    const recorded = await recordedLisply();
    const harbor = await harborWithBackends(recorded.url);
    const { structured } = await call<{ session: string }>(await harbor.client(), 'open_session', {
      attach: { kind: 'lisply', url: recorded.url },
    });
    const base = new URL(`/lisply/${structured.session}`, harbor.ready.mcp).href;
    const lisply = new LisplyClient(base, harbor.ready.token);
    expect(await lisply.compliance()).toEqual(compliant());
    expect(await lisply.compliance()).toEqual(compliant());
    expect(recorded.asked.filter((request) => request.startsWith('POST '))).toHaveLength(4);
  });

  it('is let in only where a person has named it', async () => {
    const harbor = await harborWithBackends();
    const refused = await attach(await harbor.client());
    expect(refused).toMatchObject({ isError: true, text: expect.stringContaining('The user has not named') });
  });

  it('says what is no backend, and what is no address of one', async () => {
    const harbor = await harborWithBackends(url, backend.ready.mcp);
    const client = await harbor.client();
    const open = (address: string) =>
      call(client, 'open_session', { attach: { kind: 'lisply', url: address } });
    expect((await open(backend.ready.mcp)).text).toMatch(/is not a Lisply backend: .* status 404/);
    for (const address of ['ftp://127.0.0.1/lisply', 'nonsense', 'https://127.0.0.1:1/lisply'])
      expect((await open(address)).text).toContain('is not an address of a Lisply backend');
    expect((await open('http://192.0.2.1:9081/lisply')).text).toContain('not this computer');
  });

  it('is interrupted by closing its connection, and missed when it is gone', async () => {
    const other = await StartedHarbor.start({ args: ['--lisply-port', '0'] });
    const there = other.ready.lisply ?? '';
    const harbor = await harborWithBackends(there);
    const client = await harbor.client('modern');
    const opened = await call<{ session: string }>(client, 'open_session', {
      attach: { kind: 'lisply', url: there },
    });
    const { session } = opened.structured;
    const code = '(progn (with-open-file (out "begun" :direction :output)) (loop))';
    const looping = await evaluate(client, code, { session, wait_ms: 0 });
    await expect.poll(() => existsSync(path.join(other.project, 'begun')), PATIENT).toBe(true);
    const { job } = looping.structured;
    const cancelled = await call<{ outcome: string }>(client, 'job', { job, action: 'cancel' });
    expect(cancelled.text).toContain('may continue to run there');
    expect(await values(client, '(+ 1 2)', { session })).toEqual(['3']);

    await other.stop();
    const missed = await evaluate(client, '(+ 1 2)', { session });
    expect(missed.structured.outcome).toBe('crashed');
    expect(missed.text).toContain('does not answer (ECONNREFUSED)');
  });
});
