/**
 * A question of the harbor to one client, about a restart: no other client answers it, in any of the ways in which
 * questions are sent.
 */
import type { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { call, evaluate } from '../evaluation';
import { type Capabilities, type ModernCaller, modernCaller, TASKS } from '../modern-caller';
import { PATIENT, StartedHarbor } from '../started-harbor';

const CODE = '(sleep 0.2) (restart-case (error "which?") (use-ten () 10))';
const ANSWERING: Capabilities = { elicitation: { form: {} } };

let harbor: StartedHarbor;
let owner: Client;
let session: string;

let attackersToken: string;

/** A caller of the 2026 era with that token. */
const caller = (token: string, capabilities: Capabilities): ModernCaller =>
  modernCaller('HTTP', { ready: { ...harbor.ready, token } } as StartedHarbor, capabilities);

const accept = (restart: string | undefined) => ({ action: 'accept', content: { restart } });

async function state(): Promise<string | undefined> {
  const { structured } = await call<{ sessions: { session: string; state: string }[] }>(owner, 'images');
  return structured.sessions.find((each) => each.session === session)?.state;
}

beforeAll(async () => {
  harbor = await StartedHarbor.start();
  attackersToken = await harbor.token('attacker');
  owner = await harbor.client('legacy', { capabilities: ANSWERING });
  session = (await call<{ session: string }>(owner, 'open_session')).structured.session;
}, 60_000);
afterAll(() => harbor.stop());

it('is not answered by a response of another client, in its own conversation or in that of the owner', async () => {
  const { promise: reply, resolve } = Promise.withResolvers<{ action: 'decline' }>();
  let restart: string | undefined;
  owner.setRequestHandler('elicitation/create', ({ params }) => {
    restart = /[^"]*USE-TEN[^"]*/.exec(JSON.stringify(params))?.[0];
    return reply;
  });
  const evaluating = evaluate(owner, CODE, { session, on_error: 'debug', wait_ms: 60_000 });
  await expect.poll(() => restart, PATIENT).toBeDefined();
  const attacker = await harbor.client('legacy', { token: attackersToken });
  const conversations = [attacker, owner].map(
    ({ transport }) => (transport as StreamableHTTPClientTransport).sessionId ?? '',
  );
  const statuses: number[] = [];
  for (const conversation of conversations)
    for (let id = 0; id < 10; id += 1) {
      const { status } = await fetch(harbor.ready.mcp, {
        method: 'POST',
        headers: {
          ...{ authorization: `Bearer ${attackersToken}`, 'mcp-session-id': conversation },
          ...{ 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
          'mcp-protocol-version': '2025-06-18',
        },
        body: JSON.stringify({ jsonrpc: '2.0', id, result: accept(restart) }),
      });
      statuses.push(status);
    }
  expect(statuses.slice(10)).toEqual(Array(10).fill(404));
  expect(await state()).toBe('debugger');
  resolve({ action: 'decline' });
  expect((await evaluating).structured.outcome).toBe('debugger');
});

it('is not answered by another client that repeats its call, or by a call of another tool', async () => {
  await call(owner, 'debug', { session, action: 'abort' });
  const victim = caller(harbor.ready.token, ANSWERING);
  const args = { code: CODE, session, on_error: 'debug', wait_ms: 60_000 };
  const asked = (await victim.ask('tools/call', { name: 'eval', arguments: args })).result;
  const [key = ''] = Object.keys(asked?.inputRequests as object);
  const restart = /[^"]*USE-TEN[^"]*/.exec(JSON.stringify(asked))?.[0];
  const answered = { inputResponses: { [key]: accept(restart) }, requestState: asked?.requestState };
  const attacker = caller(attackersToken, ANSWERING);
  for (const named of [{ session }, {}]) {
    const { code, on_error, wait_ms } = args;
    const repeated = { name: 'eval', arguments: { code, on_error, wait_ms, ...named }, ...answered };
    expect(await attacker.ask('tools/call', repeated)).toHaveProperty('error');
  }
  // Not the last character, of which not every bit counts.
  const other = (letter: string) => (letter === 'x' ? 'y' : 'x');
  const requestState = `${answered.requestState}`.replace(/.(?=.$)/, other);
  const forged = { ...answered, requestState };
  expect(await victim.ask('tools/call', { name: 'eval', arguments: args, ...forged })).toHaveProperty(
    'error',
  );
  await victim.ask('tools/call', { name: 'images', arguments: {}, ...answered });
  expect(await state()).toBe('debugger');
  // It was an answer: its own client continues with it.
  const own = await victim.ask('tools/call', { name: 'eval', arguments: args, ...answered });
  expect(own.result).toMatchObject({ structuredContent: { outcome: 'ok' } });
});

it('is not answered by another client through a task', async () => {
  const capabilities = { ...TASKS, ...ANSWERING };
  const victim = caller(harbor.ready.token, capabilities);
  const args = { code: CODE, session, on_error: 'debug', wait_ms: 0 };
  const { taskId } = (await victim.ask('tools/call', { name: 'eval', arguments: args })).result ?? {};
  const task = async () => (await victim.ask('tasks/get', { taskId })).result ?? {};
  await expect.poll(async () => (await task()).status, PATIENT).toBe('input_required');
  const { inputRequests } = await task();
  const [key = ''] = Object.keys(inputRequests as object);
  const restart = /[^"]*USE-TEN[^"]*/.exec(JSON.stringify(inputRequests))?.[0];
  const inputResponses = { [key]: accept(restart) };
  const attacker = caller(attackersToken, capabilities);
  await attacker.ask('tasks/update', { taskId, inputResponses });
  await attacker.ask('tasks/cancel', { taskId });
  expect((await task()).status).toBe('input_required');
  expect(await state()).toBe('debugger');
  await victim.ask('tasks/update', { taskId, inputResponses });
  await expect.poll(async () => (await task()).status, PATIENT).toBe('completed');
});
