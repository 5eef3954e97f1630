/** Calls that fail, as clients see them who check results against the schemas they have listed, and as `calls` records them. */
import path from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import Sqlite from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PATIENT, StartedHarbor } from '../started-harbor';

let harbor: StartedHarbor;
let firstLine: LegacyClient;

beforeAll(async () => {
  harbor = await StartedHarbor.start();
  firstLine = new LegacyClient({ name: 'test', version: '1' });
  const requestInit = { headers: { authorization: `Bearer ${harbor.ready.token}` } };
  await firstLine.connect(new StreamableHTTPClientTransport(new URL(harbor.ready.mcp), { requestInit }));
});
afterAll(async () => {
  await firstLine.close();
  await harbor.stop();
});

const CLIENTS: [string, () => Promise<LegacyClient | Client>][] = [
  ['the first line', async () => firstLine],
  ['the second line, 2025-11-25', () => harbor.client('legacy')],
  ['the second line, 2026-07-28', () => harbor.client('modern')],
];

const FAILURES: [string, Record<string, unknown>, string][] = [
  ['eval', { code: 7 }, 'bad_arguments'],
  ['eval', { code: '1', session: 'sbcl-nobody' }, 'unknown_session'],
  ['close_session', { session: 'sbcl-nobody' }, 'unknown_session'],
  ['open_session', { project: '/var/lib' }, 'project_not_approved'],
  ['open_session', { engine: 'swank' }, 'engine_unavailable'],
  ['job', { job: 'job-999999', action: 'status' }, 'unknown_evaluation'],
  ['history', { id: 999_999 }, 'unknown_evaluation'],
  ['close_session', { what: 1 }, 'bad_arguments'],
];

interface CallRow {
  tool: string;
  outcome: string;
  error_code: string | null;
  evaluation: number | null;
}

/** The record of the last call of a tool. */
function lastCall(tool: string): CallRow | undefined {
  const database = new Sqlite(path.join(harbor.data, 'history.db'), { readonly: true });
  try {
    return database
      .prepare<[string], CallRow>('select * from calls where tool = ? order by id desc limit 1')
      .get(tool);
  } finally {
    database.close();
  }
}

describe.each(CLIENTS)('%s, after it has listed the tools,', (_name, open) => {
  let client: LegacyClient | Client;
  beforeAll(async () => {
    client = await open();
    await client.listTools();
  });

  it.each(FAILURES)('hears why %s %j fails: %s', async (name, args, code) => {
    const result = await client.callTool({ name, arguments: args });
    expect(result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(new RegExp(`^${code}: .{20}`, 's')) }],
    });
    expect(result.structuredContent).toBeUndefined();
    expect(lastCall(name)).toMatchObject({ outcome: 'error', error_code: code, evaluation: null });
  });

  it('gets the whole record of an evaluation that failed', async () => {
    const result = await client.callTool({ name: 'eval', arguments: { code: '(car 1)' } });
    expect(result).toMatchObject({
      isError: true,
      structuredContent: { outcome: 'error', condition: { type: 'TYPE-ERROR' } },
    });
    const { id } = result.structuredContent as { id: number };
    // What became of a call is written with others, a little later.
    await expect
      .poll(() => lastCall('eval'))
      .toMatchObject({ outcome: 'error', error_code: null, evaluation: id });
  });

  it('leaves a record of a tool that there is not', async () => {
    await expect(client.callTool({ name: 'nosuch', arguments: {} })).rejects.toMatchObject({ code: -32602 });
    expect(lastCall('nosuch')).toMatchObject({ outcome: 'error', error_code: 'unknown_tool' });
  });

  it('leaves a record of an evaluation that it cancelled', async () => {
    const abort = new AbortController();
    const { signal } = abort;
    const call = { name: 'eval', arguments: { code: '(loop (sleep 0.1))' } };
    const gone = expect(
      client instanceof LegacyClient
        ? client.callTool(call, undefined, { signal })
        : client.callTool(call, { signal }),
    ).rejects.toThrow();
    await expect.poll(() => lastCall('eval')?.outcome, PATIENT).toBe(null);
    abort.abort('enough');
    await gone;
    const record = { outcome: 'error', error_code: 'cancelled', evaluation: expect.any(Number) };
    await expect.poll(() => lastCall('eval'), PATIENT).toMatchObject(record);
  });
});
