/** Who begins on a port and never ends is let go, on each of them; who has shown what it wants stays however long it is silent. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { frame } from '../../electron/compat/acl2-bridge/bridge-frames';
import { dataFolder } from '../../electron/host/data-folder';
import { PORT_NAMES, type PortName } from '../../electron/host/options';
import { PATIENT, ROOT, StartedHarbor } from '../started-harbor';
import { TelnetClient } from '../telnet-client';

const INITIALIZE = {
  ...{ jsonrpc: '2.0', id: 0, method: 'initialize' },
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};

/** What is whole on each port, after the code where there is one. That of Lisply is HTTP, which the HTTP server's tests are about. */
const WHOLE: Readonly<Record<Exclude<PortName, 'lisply'> | 'local', string>> = {
  swank: '00002c(:emacs-rex (swank:connection-info) nil t 1)',
  slynk: '00002c(:emacs-rex (slynk:connection-info) nil t 1)',
  nrepl: 'd2:op8:describee',
  bridge: frame('LISP', '(+ 1 2)').toString(),
  tcp: `${JSON.stringify(INITIALIZE)}\n`,
  telnet: '(+ 1 2)\r\n',
  local: `${JSON.stringify({ kind: 'mcp', secret: '' })}\n`,
};

let harbor: StartedHarbor;

beforeAll(async () => {
  const serve = [
    '--import',
    path.join(ROOT, 'test/later-clock.ts'),
    path.join(ROOT, 'out/electron/serve.js'),
  ];
  harbor = await StartedHarbor.start({
    args: ['--engine', 'sbcl', ...PORT_NAMES.flatMap((name) => [`--${name}-port`, '0'])],
    settings: { keepReady: false },
    command: [process.execPath, ...serve],
    env: { LONG_MS: '5000' },
  });
});
afterAll(() => harbor.stop());

function peer(name: keyof typeof WHOLE): Socket {
  const port = name === 'local' ? null : harbor.ready[name];
  const socket = port === null ? connect(dataFolder(harbor.data).socket) : connect(port ?? 0, '127.0.0.1');
  // Whoever is let go in mid-sentence may hear it as a reset.
  return socket.on('error', () => undefined).resume();
}

/** Sets the clock forward until it has come about: a connection that was made late would miss a single step. */
async function inTheEnd(came: () => boolean): Promise<void> {
  const step = () => {
    harbor.child.kill('SIGUSR2');
    return came();
  };
  await expect.poll(step, PATIENT).toBe(true);
  // What is answered now was asked after the last step; the first answer may belong to the turn in which that came.
  for (let turn = 0; turn < 2; turn += 1) await fetch(harbor.ready.mcp.replace(/mcp$/, 'health'));
}

it('each port is among these', () => {
  expect([...Object.keys(WHOLE), 'lisply'].sort()).toEqual([...PORT_NAMES, 'local'].sort());
});

it.each(Object.entries(WHOLE) as [keyof typeof WHOLE, string][])(
  '%s: whoever says nothing, a byte, or all but the last one is let go',
  async (name, whole) => {
    const peers = ['', whole.slice(0, 1), whole.slice(0, -2)].map((said) => {
      const socket = peer(name);
      if (said !== '') socket.write(said);
      return socket;
    });
    await inTheEnd(() => peers.every(({ closed }) => closed));
  },
);

it('whoever has shown what it wants stays', async () => {
  const telnet = new TelnetClient(harbor.ready.telnet ?? 0);
  await telnet.until('Code: ');
  telnet.type(harbor.ready.telnetCode ?? '');
  await telnet.until('* ');
  const [tcp, bridge] = [peer('tcp'), peer('bridge')];
  tcp.write(WHOLE.tcp);
  await once(tcp, 'data');
  bridge.write(WHOLE.bridge);
  await said(bridge, 'RETURN');
  const opened = peer('tcp');
  await inTheEnd(() => opened.closed);
  telnet.type('(* 6 7)');
  expect(await telnet.until('* ')).toContain('42');
  tcp.write('{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
  expect(await said(tcp, '"id":1')).toContain('result');
  bridge.write(frame('LISP', '(* 6 7)'));
  expect(await said(bridge, 'RETURN')).toContain('42');
  for (const each of [telnet, tcp, bridge]) each instanceof TelnetClient ? each.close() : each.destroy();
});

/** What comes until `wanted` has come. */
async function said(socket: Socket, wanted: string): Promise<string> {
  let text = '';
  while (!text.includes(wanted)) text += String((await once(socket, 'data'))[0]);
  return text;
}
