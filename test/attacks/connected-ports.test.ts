/**
 * Programs that are connected to a protocol port before a person denies evaluation: the next message on each
 * port evaluates nothing. A pause is decided in the same place (`execution-guard.test.ts`, `editor.test.ts`).
 */
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import path from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { frame } from '../../electron/compat/acl2-bridge/bridge-frames';
import { PORT_NAMES, type PortName } from '../../electron/host/options';
import { frame as swankFrame } from '../../electron/host/swank-framing';
import { call } from '../evaluation';
import type { Lines } from '../integration/endpoint-lines';
import { linesOver } from '../line-ways';
import { LisplyClient } from '../lisply-client';
import { NreplEditor } from '../nrepl-editor';
import { answering, MockNrepl } from '../nrepl-mock';
import { StartedHarbor } from '../started-harbor';
import { TelnetClient } from '../telnet-client';

/** A way to evaluate over a connection that stays open; resolves with all that came back. */
interface Way {
  evaluate: (code: string) => Promise<string>;
  close?: () => unknown;
}

const VALUE = '5:value1:66:statusl4:doneee';
let harbor: StartedHarbor;
let nrepl: MockNrepl;
const ways = new Map<string, Way>();

const decoy = () => path.join(harbor.project, 'written');
const writing = () => `(close (open ${JSON.stringify(decoy())} :direction :output :if-exists :supersede))`;

/** Swank is compiled for the first connection. */
const WAITING = { timeout: 100_000, interval: 50 };

/** Waits until the text matches, and returns it. */
const comes = (text: () => string, wanted: RegExp) =>
  vi.waitFor(() => {
    expect(text()).toMatch(wanted);
    return text();
  }, WAITING);

/** Collects what a socket receives. */
function heard(socket: Socket): { text: () => string } {
  let all = '';
  socket.setEncoding('utf8').on('data', (piece: string) => {
    all += piece;
  });
  return { text: () => all };
}

async function mcpLines(lines: Lines): Promise<(code: string) => Promise<string>> {
  const clientInfo = { name: 'test', version: '1' };
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
  lines.send({ jsonrpc: '2.0', id: 0, method: 'initialize', params });
  await lines.answer(0);
  let id = 0;
  return async (code) => {
    id += 1;
    lines.send({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'eval', arguments: { code } } });
    return JSON.stringify(await lines.answer(id));
  };
}

/** Slynk needs SLY, which no package brings; its port is in test/versions/sly.test.ts. */
const PORTS: Readonly<Record<Exclude<PortName, 'slynk'>, () => Promise<Way>>> = {
  tcp: async () => {
    const { lines, end } = linesOver('TCP', harbor);
    return { evaluate: await mcpLines(lines), close: end };
  },
  lisply: async () => {
    const client = new LisplyClient(harbor.ready.lisply ?? '');
    return { evaluate: async (code) => (await client.evaluate(code)).text };
  },
  telnet: async () => {
    const client = new TelnetClient(harbor.ready.telnet ?? 0);
    await client.until('Code: ');
    client.type(harbor.ready.telnetCode ?? '');
    await client.until('* ');
    const evaluate = (code: string) => {
      client.type(code);
      return client.until('\r\n* ');
    };
    return { evaluate, close: () => client.close() };
  },
  bridge: async () => {
    const socket = connect(harbor.ready.bridge ?? 0, '127.0.0.1');
    const { text } = heard(socket);
    const evaluate = async (code: string) => {
      const from = text().length;
      socket.write(frame('LISP', code));
      return comes(() => text().slice(from), /RETURN|ERROR/);
    };
    return { evaluate, close: () => socket.destroy() };
  },
  swank: async () => {
    const socket = connect(harbor.ready.swank ?? 0, '127.0.0.1');
    const { text } = heard(socket);
    let id = 0;
    const evaluate = async (code: string) => {
      id += 1;
      const form = `(swank:eval-and-grab-output ${JSON.stringify(code)})`;
      socket.write(swankFrame(`(:emacs-rex ${form} "COMMON-LISP-USER" t ${id})`));
      return comes(text, new RegExp(`\\(:return \\(.* ${id}\\)`));
    };
    return { evaluate, close: () => socket.destroy() };
  },
  nrepl: async () => {
    const editor = await NreplEditor.on(harbor.ready.nrepl ?? 0);
    const evaluate = async (code: string) => JSON.stringify(await editor.ask({ op: 'eval', code }));
    return { evaluate, close: () => editor.close() };
  },
};

/** An MCP client with a session of the engine. */
async function mcp(client: Client, args: Record<string, unknown> = {}): Promise<Way> {
  const { structured } = await call<{ session: string }>(client, 'open_session', args);
  const evaluate = async (code: string) =>
    JSON.stringify(await call(client, 'eval', { code, session: structured.session }));
  return { evaluate };
}

const OTHERS: Readonly<Record<string, () => Promise<Way>>> = {
  'MCP over HTTP': async () => mcp(await harbor.client()),
  stdio: async () => {
    const { lines, end } = linesOver('stdio', harbor);
    return { evaluate: await mcpLines(lines), close: end };
  },
  'an attached nREPL server': async () =>
    mcp(await harbor.client(), { attach: { kind: 'nrepl', port: nrepl.port } }),
};

const ALL = { ...PORTS, ...OTHERS };
const settings = (answer: 'allow' | 'deny') => ({
  approvals: [
    { class: 'evaluate', answer },
    { class: 'attach', answer: 'allow' },
  ],
});

beforeAll(async () => {
  nrepl = await MockNrepl.start((request, respond) => respond(answering(request) + VALUE));
  const args = ['--engine', 'sbcl', ...PORT_NAMES.flatMap((name) => [`--${name}-port`, '0'])];
  harbor = await StartedHarbor.start({ settings: settings('allow'), args });
  for (const [name, open] of Object.entries(ALL)) {
    const way = await open();
    ways.set(name, way);
    // Each has evaluated before, so its session is there.
    expect(await way.evaluate('(* 6 7)'), name).not.toMatch(/denies/);
  }
  writeFileSync(path.join(harbor.data, 'settings.json'), JSON.stringify(settings('deny')));
  const evaluated = () => ways.get('MCP over HTTP')?.evaluate('1');
  await vi.waitFor(async () => expect(await evaluated()).toContain('denies'), WAITING);
}, 240_000);

afterAll(async () => {
  for (const { close } of ways.values()) await close?.();
  await harbor.stop();
  await nrepl.stop();
});

describe('a program that is connected already', () => {
  it.each(Object.keys(ALL))('evaluates nothing more over %s', async (name) => {
    rmSync(decoy(), { force: true });
    const evals = () => nrepl.requests.filter(({ op }) => op === 'eval').length;
    const before = evals();
    const code = name === 'bridge' ? '(+ 1 2)' : writing();
    expect(await ways.get(name)?.evaluate(code)).toMatch(/denies/);
    expect(existsSync(decoy())).toBe(false);
    expect(evals()).toBe(before);
  });
});
