/** Restarts offered to a person behind a client that can ask one, by each way in and in both protocol eras. */
import type { Client, ClientCapabilities } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EvaluationRecord } from '../../electron/tools/evaluation/record';
import { call, evaluate } from '../evaluation';
import { sampled } from '../rounds';
import { sharedHarbor } from '../shared-harbor';
import type { StartedHarbor } from '../started-harbor';

let harbor: StartedHarbor;

beforeAll(async () => {
  harbor = await sharedHarbor();
});

afterAll(() => harbor.stop());

const ASKS: ClientCapabilities = { elicitation: { form: {} } };

const WAYS: [string, (capabilities: ClientCapabilities) => Promise<Client>][] = [
  ['HTTP in the 2025 era', (capabilities) => harbor.client('legacy', { capabilities })],
  ['HTTP in the 2026 era', (capabilities) => harbor.client('modern', { capabilities })],
  ['stdio in the 2025 era', (capabilities) => harbor.stdioClient({ capabilities })],
  ['stdio in the 2026 era', (capabilities) => harbor.stdioClient({ era: 'modern', capabilities })],
];

/** Signals at once, and offers a value in its place, by name and with a value to be given. */
const CODE = `(+ 1 (restart-case (error "no ~a" :luck)
  (use-forty () :report "Go on with 40." 40)
  (use-value (value) :report "Give a value." :interactive (lambda () (list 0)) value)))`;

interface Form {
  message: string;
  requestedSchema: { properties: Record<string, { enum?: string[] }> };
}

type Reply = { action: 'accept'; content: Record<string, string> } | { action: 'decline' | 'cancel' };

/** Answers each question of the harbor in turn, and keeps them. */
function answering(client: Client, ...replies: ((offered: string[]) => Reply)[]): Form[] {
  const asked: Form[] = [];
  client.setRequestHandler('elicitation/create', ({ params }) => {
    const form = params as unknown as Form;
    asked.push(form);
    const reply = replies.shift();
    if (!reply) throw new Error('asked once too often');
    return reply(form.requestedSchema.properties.restart?.enum ?? []);
  });
  return asked;
}

function taking(name: string, values?: string): (offered: string[]) => Reply {
  return (offered) => ({
    action: 'accept',
    content: {
      restart: offered.find((text) => text.includes(`[${name}]`)) ?? 'none of them',
      ...(values === undefined ? {} : { values }),
    },
  });
}

async function open(client: Client): Promise<string> {
  return (await call<{ session: string }>(client, 'open_session', { engine: 'sbcl' })).structured.session;
}

async function stateOf(client: Client, session: string): Promise<string | undefined> {
  const { sessions } = (
    await call<{ sessions: { session: string; state: string }[] }>(client, 'images', { session })
  ).structured;
  return sessions[0]?.state;
}

describe.each(sampled('elicited-restart', WAYS, 2))('a held condition over %s', (_, connect) => {
  it('goes on by the restart that a person chooses, on the same row', async () => {
    const client = await connect(ASKS);
    const asked = answering(client, taking('USE-FORTY'));
    const session = await open(client);
    const { structured, isError } = await evaluate(client, CODE, { session, on_error: 'debug' });
    expect(structured).toMatchObject({ outcome: 'ok', values: ['41'], session });
    expect(isError).toBe(false);
    expect(asked).toHaveLength(1);
    expect(asked[0]?.message).toContain(`Evaluation ${structured.id} is suspended at debugger level 1`);
    expect(asked[0]?.message).toContain('[SIMPLE-ERROR] no LUCK');
    const { evaluation } = (
      await call<{ evaluation: EvaluationRecord }>(client, 'history', { id: structured.id })
    ).structured;
    expect(evaluation).toMatchObject({ outcome: 'ok', values: ['41'] });
    const { rows } = (await call<{ rows: unknown[] }>(client, 'history', { session })).structured;
    expect(rows).toHaveLength(1);
  });

  it('takes values for a restart that asks for them, and asks again when it is held anew', async () => {
    const client = await connect(ASKS);
    const session = await open(client);
    const code = `(progn ${CODE} ${CODE})`;
    const asked = answering(client, taking('USE-FORTY'), taking('USE-VALUE', '(* 6 7)'));
    const { structured } = await evaluate(client, code, { session, on_error: 'debug' });
    expect(structured).toMatchObject({ outcome: 'ok', values: ['43'] });
    expect(asked).toHaveLength(2);
  });

  it.each(['decline', 'cancel'] as const)('stays held after %s', async (action) => {
    const client = await connect(ASKS);
    const asked = answering(client, () => ({ action }));
    const session = await open(client);
    const { structured, text } = await evaluate(client, CODE, { session, on_error: 'debug' });
    expect(structured).toMatchObject({ outcome: 'debugger', condition: { level: 1 } });
    expect(text).toContain('`debug` shows the suspended level');
    expect(asked).toHaveLength(1);
    expect(await stateOf(client, session)).toBe('debugger');
    const { structured: after } = await call<{ evaluation: EvaluationRecord }>(client, 'debug', {
      session,
      action: 'restart',
      restart: 'USE-FORTY',
    });
    expect(after.evaluation).toMatchObject({ id: structured.id, values: ['41'] });
  });

  it('stays held when what was chosen is not offered', async () => {
    const client = await connect(ASKS);
    answering(client, taking('NO-SUCH'));
    const session = await open(client);
    const { structured } = await evaluate(client, CODE, { session, on_error: 'debug' });
    expect(structured).toMatchObject({
      outcome: 'debugger',
      notes: expect.arrayContaining(['The chosen restart is no longer offered.']),
    });
    expect(await stateOf(client, session)).toBe('debugger');
  });

  it('is not asked about unless the call holds it, nor where the client cannot ask', async () => {
    const client = await connect(ASKS);
    const asked = answering(client);
    const reported = await evaluate(client, CODE, { session: await open(client) });
    expect(reported.structured.outcome).toBe('error');
    expect(asked).toHaveLength(0);
    const other = await connect({ elicitation: { url: {} } });
    const told = await evaluate(other, CODE, { session: await open(other), on_error: 'debug' });
    expect(told.structured.outcome).toBe('debugger');
    expect(told.structured.condition?.restarts.map(({ name }) => name)).toContain('USE-FORTY');
  });
});

describe('a client that fails to ask', () => {
  it('gets the record of what is held', async () => {
    const client = await harbor.client('legacy', { capabilities: ASKS });
    client.setRequestHandler('elicitation/create', () => {
      throw new Error('no window');
    });
    const session = await open(client);
    const { structured } = await evaluate(client, CODE, { session, on_error: 'debug' });
    expect(structured.outcome).toBe('debugger');
  });
});

describe('the state that a client carries to its next call', () => {
  const META = 'io.modelcontextprotocol';

  /** One request of the 2026 era as it goes over the wire. */
  async function post(token: string, name: string, params: Record<string, unknown>) {
    const _meta = {
      [`${META}/protocolVersion`]: '2026-07-28',
      [`${META}/clientInfo`]: { name: 'raw', version: '1' },
      [`${META}/clientCapabilities`]: ASKS,
    };
    const response = await fetch(harbor.ready.mcp, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': name,
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name, ...params, _meta },
      }),
    });
    return (await response.json()) as {
      result?: { resultType: string; requestState?: string; structuredContent?: EvaluationRecord };
      error?: { code: number; data?: { reason?: string } };
    };
  }

  it('is signed, is one client’s own, and evaluates nothing anew', async () => {
    const args = { code: CODE, on_error: 'debug' };
    const { result } = await post(harbor.ready.token, 'eval', { arguments: args });
    expect(result).toMatchObject({ resultType: 'input_required' });
    const state = result?.requestState ?? '';
    const chosen = { restart: { action: 'accept', content: { restart: '0: [USE-FORTY] Go on with 40.' } } };
    const again = (requestState: string, token = harbor.ready.token) =>
      post(token, 'eval', { arguments: args, requestState, inputResponses: chosen });
    // Its last letter may stand for the same bits as another one does, its first never.
    const forged = await again(
      state.replace(/(?<=\.)[\w-](?=[\w-]+$)/, (letter) => (letter === 'x' ? 'y' : 'x')),
    );
    expect(forged.error).toMatchObject({ code: -32602, data: { reason: 'invalid_request_state' } });
    const thief = await harbor.token('thief');
    expect((await again(state, thief)).error).toMatchObject({ code: -32602 });
    const { result: done } = await again(state);
    expect(done?.structuredContent).toMatchObject({ outcome: 'ok', forms: [{ values: ['41'] }] });
    // The same answer again finds the same row, whose evaluation has ended.
    const { result: late } = await again(state);
    expect(late?.structuredContent?.id).toBe(done?.structuredContent?.id);
  });
});
