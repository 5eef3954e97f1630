/** Arguments and parameters as real clients send them: taken as meant, or refused in words and never as a bug of ours. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call } from '../evaluation';
import { sharedHarbor } from '../shared-harbor';
import type { StartedHarbor } from '../started-harbor';
import { type JsonRpcAnswer, StdioLines } from '../stdio-client';
import { ask, JSON_HEADERS, legacy, modern } from './endpoint-messages';

let harbor: StartedHarbor;
let client: Client;

beforeAll(async () => {
  harbor = await sharedHarbor();
  client = await harbor.client();
  writeFileSync(path.join(harbor.project, 'a.lisp'), '(defun a () 1)\n\n(defun b () 2)\n');
  await call(client, 'eval', { code: '(defun fresh () 5)' });
}, 120_000);
afterAll(() => harbor.stop());

describe('arguments are taken as meant', () => {
  const given: [string, Record<string, unknown>, RegExp][] = [
    ['eval', { code: '(+ 1 1)', try: 'false', wait_ms: '1000' }, /=> 2/],
    ['eval', { code: '(+ 1 1)', session: null, level: null, on_error: null }, /=> 2/],
    ['eval', { code: '(+ 1 1)', session: '', on_error: '', profile: '', level: '', try: '' }, /=> 2/],
    ['eval', { code: '(+ 1 1)', try: 'False', on_error: 'Report', package: null }, /=> 2/],
    ['inspect', { code: "'(1 (2 3))", path: '[1,0]' }, /integer/],
    ['inspect', { code: "'(1 (2 3))", path: ['1', '0'] }, /integer/],
    ['find', { query: 'car', kind: 'definition', external: 'true', only: '', limit: '3' }, /CAR/],
    ['read_file', { path: 'a.lisp', collapsed: 'false', offset: '0', limit: null }, /\(defun a \(\) 1\)/],
    [
      'edit_form',
      {
        edits: JSON.stringify([
          { path: 'a.lisp', operation: 'patch', old_text: '1', new_text: '11', index: null, form_name: '' },
        ]),
        dry_run: 'true',
      },
      /\+\(defun a \(\) 11\)/,
    ],
    ['write_file', { path: 'z.lisp', definitions: '["fresh"]', content: null }, /z\.lisp/],
    ['history', { limit: '2', mine: 'true', outcome: '' }, /more with before/],
    [
      'open_session',
      { engine: 'sbcl', limits: '{"heap_mib":"512"}', attach: null, network: 'false' },
      /sbcl-/,
    ],
  ];
  it.each(given)('%s %j', async (tool, args, expected) => {
    const { text, isError } = await call(client, tool, args);
    expect(text).toMatch(expected);
    expect(isError).toBe(false);
  });

  it('a restart by number as text', async () => {
    const failed = await call(client, 'eval', { code: '(car 5)', on_error: 'debug' });
    expect(failed.text).toMatch(/restarts/i);
    const { text } = await call(client, 'debug', { action: 'restart', restart: '0', arguments: '[]' });
    expect(text).not.toContain('bad_arguments');
  });

  it('what is ambiguous is refused with the accepted form', async () => {
    const { text, isError } = await call(client, 'eval', { code: '1', try: 'yes', wait_ms: '1,000' });
    expect(isError).toBe(true);
    expect(text).toMatch(/ try: .*true or false/);
    expect(text).toMatch(/ wait_ms: .*1000/);
  });
});

it.each([
  ['load', 'path'],
  ['run_tests', 'path'],
  ['read_file', 'path'],
  ['open_session', 'project'],
])('%s refuses a %s with a NUL character as a mistake of the client', async (tool, name) => {
  const { isError } = await call(client, tool, { [name]: 'a\0b' });
  expect(isError).toBe(true);
});

/** Requests whose parameters do not fit, by method. */
const MISSHAPEN: [string, unknown][] = [
  ['tools/call', { name: 'eval', arguments: '{"code":"1"}' }],
  ['tools/call', { name: 'eval', arguments: [1] }],
  ['tools/call', { name: 'eval', arguments: 5 }],
  ['tools/call', { name: 7, arguments: {} }],
  ['tools/call', { name: null }],
  ['tools/call', null],
  ['tools/call', {}],
  ['prompts/get', { name: 5 }],
  ['prompts/get', { name: 'x', arguments: [] }],
  ['prompts/get', { name: 'x', arguments: { a: 1 } }],
  ['prompts/get', null],
  ['resources/read', {}],
  ['resources/read', { uri: 5 }],
  ['resources/subscribe', { uri: null }],
  ['completion/complete', { ref: 'x' }],
  ['tools/list', { cursor: 5 }],
];

/** Words of the schema library, and codes of our own bugs. */
const DUMP = /"code":\s*"invalid|"path":|ZodError|\[\n/;

function expectWords({ error }: Pick<JsonRpcAnswer, 'error'>): void {
  expect(error?.code).toBe(-32602);
  expect(error?.message).not.toMatch(DUMP);
  expect(error?.message).toMatch(/expected|missing|unknown/i);
}

describe('parameters that do not fit are refused in words', () => {
  it.each(MISSHAPEN)('over stdio: %s %j', async (method, params) => {
    const lines = new StdioLines(harbor);
    await lines.initialize();
    expectWords(await lines.ask({ jsonrpc: '2.0', id: 7, method, params }));
    await lines.end();
  });

  it('over HTTP, in both eras', async () => {
    const { port } = new URL(harbor.ready.mcp);
    const authorization = `Bearer ${harbor.ready.token}`;
    const begun = await ask(Number(port), {
      headers: { ...JSON_HEADERS, authorization },
      body: legacy(1, 'initialize', {
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo: { name: 'test', version: '1' },
      }),
    });
    const session = {
      ...JSON_HEADERS,
      authorization,
      'mcp-session-id': `${begun.headers['mcp-session-id']}`,
    };
    for (const [method, params] of MISSHAPEN) {
      const { json } = await ask(Number(port), { headers: session, body: legacy(2, method, params) });
      expectWords(json);
      if (method === 'resources/subscribe' || params === null || typeof params !== 'object') continue;
      const request = modern(3, method, params as Record<string, unknown>);
      const answer = await ask(Number(port), { ...request, headers: { ...request.headers, authorization } });
      expect(answer.json.error?.code, `${method} ${JSON.stringify(params)}`).not.toBe(-32603);
      expect(answer.json.error?.message).not.toMatch(DUMP);
    }
  });

  it('arguments that are null are none', async () => {
    const lines = new StdioLines(harbor);
    await lines.initialize();
    const images = await lines.ask({
      ...{ jsonrpc: '2.0', id: 8, method: 'tools/call' },
      params: { name: 'images', arguments: null, _meta: null },
    });
    expect(images.result?.isError).toBe(false);
    const tools = await lines.ask({ jsonrpc: '2.0', id: 9, method: 'tools/list', params: null });
    expect(tools.result).toHaveProperty('tools');
    await lines.end();
  });
});
