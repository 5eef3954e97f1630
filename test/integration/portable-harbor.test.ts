/** Sessions of ECL and ABCL over MCP, with the sandbox, as agents see them. */
import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, evaluate } from '../evaluation';
import { sampled } from '../rounds';
import { sharedHarbor } from '../shared-harbor';
import type { StartedHarbor } from '../started-harbor';
import { START_MS } from './portable-fixture';

let harbor: StartedHarbor;
let client: Client;

beforeAll(async () => {
  harbor = await sharedHarbor();
  client = await harbor.client();
});

afterAll(() => harbor.stop());

it('lists the engines with their versions, and why one is missing', async () => {
  const { structured } = await call<{ engines: { engine: string; available: boolean }[] }>(client, 'images');
  const found = Object.fromEntries(structured.engines.map((each) => [each.engine, each]));
  expect(found).toMatchObject({
    ecl: { available: true, version: expect.stringMatching(/^\d/) },
    abcl: { available: true, version: expect.stringMatching(/^\d/) },
    ccl: { available: false, reason: expect.stringContaining('CCL was not found') },
  });
});

const TRIED = sampled('portable-harbor', ['ecl', 'abcl'], 1);

describe.each(TRIED)('a session of %s', (engine) => {
  let session: string;

  beforeAll(async () => {
    // A client times out after a minute; the very first start compiles the agent.
    const opening = client.callTool({ name: 'open_session', arguments: { engine } }, { timeout: START_MS });
    const { structuredContent } = await opening;
    const opened = structuredContent as { session: string; engine: string; package: string; sandbox: string };
    expect(opened).toMatchObject({
      engine,
      package: 'CL-USER',
      sandbox: expect.stringContaining('bubblewrap'),
    });
    session = opened.session;
  }, START_MS);

  it('evaluates, keeps its state and is in the history', async () => {
    const { structured } = await evaluate(client, '(defvar *n* 41) (values (1+ *n*) :two)', { session });
    expect(structured).toMatchObject({ engine, outcome: 'ok', values: ['42', ':TWO'] });
    expect((await evaluate(client, '*n*', { session })).structured.values).toEqual(['41']);
    const { text } = await call(client, 'history', { session });
    expect(text).toContain('(defvar *n* 41)');
  });

  it('describes names and says what it cannot do, with what it can', async () => {
    expect((await call(client, 'describe', { session, symbol: 'mapcar' })).text).toContain('MAPCAR');
    for (const [tool, args] of [
      ['inspect', { session, code: '(list 1 2)' }],
      ['debug', { session, action: 'show' }],
    ] as const) {
      const { isError, text } = await call(client, tool, args);
      expect({ tool, isError }).toEqual({ tool, isError: true });
      expect(text).toContain(`A session of ${engine} does not offer \`${tool}\`. It offers \`eval\``);
    }
    const callers = await call(client, 'find', { session, kind: 'caller', query: 'mapcar' });
    expect(callers.isError).toBe(true);
    expect(callers.text).toContain('does not remember who calls a function');
  });

  it('leaves nothing beside the files that it loads or cannot load', async () => {
    const written = ['loads.lisp', 'fails.lisp', 'unread.lisp'].map((name) =>
      path.join(harbor.project, name),
    );
    const [loads = '', fails = '', unread = ''] = written;
    writeFileSync(loads, '(defun loaded () 1)');
    writeFileSync(fails, '(defun first () 1)\n(error "no")');
    writeFileSync(unread, '(defun first () 1)\n(defun');
    const before = readdirSync(harbor.project, { recursive: true });
    expect((await call(client, 'load', { session, path: loads })).isError).toBe(false);
    for (const file of [fails, unread])
      expect((await call(client, 'load', { session, path: file })).isError, file).toBe(true);
    expect(readdirSync(harbor.project, { recursive: true })).toEqual(before);
    expect((await evaluate(client, '(loaded)', { session })).structured.values).toEqual(['1']);
  });

  it('stops what a job is cancelled for, and keeps its state', async () => {
    const { structured } = await evaluate(client, '(loop (sleep 0.1))', { session, wait_ms: 0 });
    expect(structured.outcome).toBe('running');
    const cancelled = await call(client, 'job', { job: structured.job, action: 'cancel' });
    expect(cancelled.text).toContain('interrupted');
    expect((await evaluate(client, '*n*', { session })).structured.values).toEqual(['41']);
  });
});
