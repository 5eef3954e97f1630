/** A client of MCP 2026-07-28 that says each thing itself, over HTTP or in lines: what no SDK would say can be asked as well. */
import type { Message } from './integration/endpoint-lines';
import { type LineWay, linesOver } from './line-ways';
import type { StartedHarbor } from './started-harbor';

/** What a client can, told in every request. */
export type Capabilities = Record<string, unknown>;

export interface ModernCaller {
  ask(method: string, params?: Record<string, unknown>): Promise<Message>;
  end(): Promise<unknown>;
}

export const TASKS: Capabilities = { extensions: { 'io.modelcontextprotocol/tasks': {} } };

export function modernCaller(
  way: 'HTTP' | LineWay,
  harbor: StartedHarbor,
  capabilities: Capabilities,
): ModernCaller {
  return way === 'HTTP' ? overHttp(harbor, capabilities) : overLines(way, harbor, capabilities);
}

let lastId = 0;

function message(method: string, params: Record<string, unknown>, capabilities: Capabilities) {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': capabilities,
  };
  lastId += 1;
  return { jsonrpc: '2.0', id: lastId, method, params: { ...params, _meta } };
}

function overHttp({ ready }: StartedHarbor, capabilities: Capabilities): ModernCaller {
  return {
    async ask(method, params = {}) {
      const name = params.name ?? params.taskId;
      const response = await fetch(ready.mcp, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${ready.token}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-protocol-version': '2026-07-28',
          'mcp-method': method,
          ...(typeof name === 'string' ? { 'mcp-name': name } : {}),
        },
        body: JSON.stringify(message(method, params, capabilities)),
      });
      return lastMessage(await response.text());
    },
    async end() {},
  };
}

/** The body itself, or the last message of an event stream. */
function lastMessage(text: string): Message {
  const events = text.split('\n').filter((line) => line.startsWith('data: {'));
  return JSON.parse(events.at(-1)?.slice('data: '.length) ?? text);
}

function overLines(way: LineWay, harbor: StartedHarbor, capabilities: Capabilities): ModernCaller {
  const { lines, end } = linesOver(way, harbor);
  return {
    ask: (method, params = {}) => {
      const request = message(method, params, capabilities);
      lines.send(request);
      return lines.answer(request.id);
    },
    end,
  };
}
