/** Clients that do as little as a client can, so that what is measured is the server: one request at a time, over HTTP or in lines. */
import type { ChildProcess } from 'node:child_process';
import { Agent, type IncomingMessage, request } from 'node:http';
import { createInterface } from 'node:readline';

export type Era = '2025' | '2026';

/** A server that tools are called of. */
export interface Caller {
  /** @throws Error for an answer that is an error, or not there */
  call(name: string, args: object): Promise<unknown>;
  /** Any other request. @throws Error likewise */
  ask(method: string, params: object): Promise<unknown>;
  end(): void;
}

interface Answer {
  result?: unknown;
  error?: { message: string };
}

type Ask = (method: string, params: object) => Promise<Answer>;

const CLIENT = { name: 'bench', version: '1' };
const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': CLIENT,
  'io.modelcontextprotocol/clientCapabilities': {},
};
const OPENING = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: CLIENT };

/** @param token absent for a server that wants none */
export async function overHttp(url: string, era: Era, token?: string): Promise<Caller> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': era === '2025' ? '2025-11-25' : '2026-07-28',
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  };
  let id = 0;
  const ask = async (method: string, params: object, named = {}): Promise<Answer> => {
    id += 1;
    const body = JSON.stringify({ jsonrpc: '2.0', id, method, params });
    const response = await post(url, agent, { ...headers, ...named }, body);
    const session = response.headers['mcp-session-id'];
    if (typeof session === 'string') headers['mcp-session-id'] = session;
    return messageIn(response.text);
  };
  const end = () => agent.destroy();
  if (era === '2026') {
    const named = (method: string, { name }: { name?: unknown }) => ({
      'mcp-method': method,
      ...(typeof name === 'string' ? { 'mcp-name': name } : {}),
    });
    return caller((method, params) => ask(method, { ...params, _meta: META }, named(method, params)), end);
  }
  await ask('initialize', OPENING);
  await post(url, agent, headers, JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }));
  return caller(ask, end);
}

/** @param child which speaks MCP over its stdin and stdout */
export async function overStdio(child: ChildProcess): Promise<Caller> {
  const { stdin, stdout } = child;
  if (!stdin || !stdout) throw new Error('The server has no pipes.');
  const waiting = new Map<number, (answer: Answer) => void>();
  createInterface({ input: stdout }).on('line', (line) => {
    const message = JSON.parse(line);
    if ('method' in message) return;
    waiting.get(message.id)?.(message);
    waiting.delete(message.id);
  });
  let id = 0;
  const ask = (method: string, params: object): Promise<Answer> => {
    id += 1;
    stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    return new Promise((resolve) => waiting.set(id, resolve));
  };
  await ask('initialize', OPENING);
  stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
  return caller(ask, () => stdin.end());
}

function caller(send: Ask, end: () => void): Caller {
  const ask: Caller['ask'] = async (method, params) => {
    const { result, error } = await send(method, params);
    if (result !== undefined) return result;
    throw new Error(error?.message ?? 'The answer has no result.');
  };
  return { ask, call: (name, args) => ask('tools/call', { name, arguments: args }), end };
}

interface Response {
  headers: IncomingMessage['headers'];
  text: string;
}

function post(url: string, agent: Agent, headers: object, body: string): Promise<Response> {
  return new Promise((resolve, reject) => {
    const length = { 'content-length': Buffer.byteLength(body) };
    const sent = request(url, { method: 'POST', agent, headers: { ...headers, ...length } }, (res) => {
      const chunks: Buffer[] = [];
      res.on('data', (chunk) => chunks.push(chunk));
      res.on('end', () => resolve({ headers: res.headers, text: Buffer.concat(chunks).toString() }));
    });
    sent.once('error', reject).end(body);
  });
}

/** The body itself, or the last message of an event stream. */
function messageIn(text: string): Answer {
  const events = text.split('\n').filter((line) => line.startsWith('data: {'));
  return JSON.parse(events.at(-1)?.slice('data: '.length) ?? text);
}
