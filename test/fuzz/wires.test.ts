/** Whole conversations, in which the other side says anything: what is asked is answered or lost, and what is heard is the
 * same however its bytes were cut. */
import { Buffer } from 'node:buffer';
import type { Socket } from 'node:net';
import { expect } from 'vitest';
import { TelnetConnection } from '../../electron/compat/telnet/telnet-port';
import { asFailure } from '../../electron/contract/errors';
import { readHello } from '../../electron/endpoints/local/local-socket';
import { serveRepl } from '../../electron/endpoints/local/repl';
import { LineTransport } from '../../electron/endpoints/mcp/line-conversation';
import { frame } from '../../electron/host/swank-framing';
import { Acl2Conversation } from '../../electron/images/acl2/conversation';
import { SystemBooks } from '../../electron/images/acl2/system-books';
import { Wire } from '../../electron/images/agent/wire';
import { NreplClient } from '../../electron/images/nrepl/client';
import { SwankClient } from '../../electron/images/swank/client';

import { lispCall } from '../../electron/images/swank/sexp';
import { ended, fuzzConversation, Line } from './conversation';
import { conversations, recorded } from './recorded';

fuzzConversation({
  name: 'with the agent in an image',
  seeds: conversations(recorded('agent-events'), (event) => `${event}\n`),
  tokens: ['\n', '{"event":"left","id":1,"level":1}\n', '{"event":', 'x\n', '"id":', '{"a":'],
  listen: (line) => {
    const heard: unknown[] = [];
    const wire = new Wire(line, {
      event: (event) => heard.push(event),
      malformed: (problem) => heard.push({ problem }),
      lost: (reason) => heard.push({ reason }),
    });
    return { over: ended(line).then(() => wire.caughtUp()), told: () => heard };
  },
});

fuzzConversation({
  name: 'with an nREPL server',
  seeds: conversations(
    recorded('nrepl-messages').map((message) => message.replace(/^(.*?)2:id\d:\d+/s, '$12:id1:1')),
    (message) => message,
  ),
  tokens: [
    'd2:id1:16:statusl4:doneee',
    'd2:id1:26:statusl11:constructor4:doneee',
    'e',
    'd2:id1:1',
    '6:statusl5:error4:donee',
  ],
  listen: (line) => {
    const heard: unknown[] = [];
    const replies: unknown[] = [];
    const client = new NreplClient(line, { onUnrouted: (message) => heard.push({ unrouted: message }) });
    const ask = () => client.request({ op: 'eval' }, (message) => heard.push(message));
    for (const reply of [ask(), ask()]) void reply.then((told) => replies.push(told));
    const told = () => {
      expect(replies).toHaveLength(2);
      return { heard, replies };
    };
    return { over: client.ended, told };
  },
});

fuzzConversation({
  name: 'with a Swank server',
  seeds: conversations(
    recorded('swank-messages').map((message) => message.replace(/ \d+\)$/, ' 1)')),
    frame,
  ),
  tokens: [
    '(:return (:ok 1) 1)',
    '00000a(:ping 1 2)',
    '(:write-string "a" nil 1)',
    '(:y-or-n-p 1 2 "x")',
    '(constructor 1 2)',
    '000013',
  ],
  listen: (line) => {
    const heard: unknown[] = [];
    const replies: unknown[] = [];
    const client = new SwankClient(line, (event) => heard.push(event));
    void client.request(lispCall('a'), 'own', 'CL-USER').reply.then((reply) => replies.push(reply));
    const told = () => {
      expect(replies).toHaveLength(1);
      return { heard, replies, sent: line.sent };
    };
    return { over: client.ended, told };
  },
});

const NONCE = '1cce646a4049330c4e2039811b73155e';

/** The nonce that this conversation gave to its helper. */
function nonceIn({ sent }: Line): string {
  return /serve "([0-9a-f]{32})"/.exec(sent)?.[1] ?? '';
}

for (const isOurs of [true, false])
  fuzzConversation({
    name: isOurs ? 'with the helper in ACL2' : 'with one in ACL2 who does not know the nonce',
    seeds: conversations(
      recorded('acl2-records'),
      (text) => `printed\n\x1e${NONCE} ${Buffer.byteLength(text)}\n${text}\n`,
    ),
    tokens: [`\x1e${NONCE} `, `\x1e${NONCE} 18\n{"record":"begun"}\n`, '\x1e', '2\n{}\n'],
    said: (bytes, line) =>
      isOurs ? Buffer.from(bytes.toString('latin1').replaceAll(NONCE, nonceIn(line)), 'latin1') : bytes,
    listen: (line) => {
      const heard: unknown[] = [];
      let printed = '';
      const commentary = new Line();
      commentary.push(null);
      const conversation = new Acl2Conversation(line, commentary, {
        printed: (_stream, text) => {
          printed += text;
        },
        malformed: (problem) => heard.push({ problem }),
        lost: (reason) => heard.push({ reason }),
      });
      const record = (told: unknown) => void heard.push(told);
      conversation.start(
        '/helper',
        {
          project: '/p',
          package: undefined,
          systemBooks: new SystemBooks(undefined, []),
          alone: true,
        },
        { record, form: record, done: record },
      );
      const told = () => {
        if (!isOurs) expect(heard).toEqual([]);
        // The nonce is another one each time, as long as the others.
        return [heard.map((each) => JSON.stringify(each).length), printed.length];
      };
      return { over: ended(line).then(() => conversation.caughtUp()), told };
    },
  });

fuzzConversation({
  name: 'with a stranger who speaks lines of MCP',
  seeds: [
    '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-03-26","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}\n{"jsonrpc":"2.0","id":2,"method":"tools/list"}\r\n',
    '[{"jsonrpc":"2.0","id":3,"method":"ping"}]\n{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":3}}\n',
  ],
  tokens: [
    '\n',
    '{',
    '[',
    '"id":',
    '{"jsonrpc":"2.0","id":1,"method":"ping"}\n',
    '"params":{"a":[[[',
    'x\n',
    '"__proto__":',
  ],
  listen: (line) => {
    const heard: unknown[] = [];
    const transport = new LineTransport(line, 2_000, () => heard.push('known'));
    transport.onmessage = (message) => heard.push(message);
    void transport.start();
    const told = () => {
      for (const each of line.sent.split('\n').filter(Boolean)) expect(() => JSON.parse(each)).not.toThrow();
      return [heard, line.sent];
    };
    return { told };
  },
});

fuzzConversation({
  name: 'with a program of this user',
  seeds: [
    '{"secret":"s","kind":"mcp","client":"stdio","project":"/p"}\n{"jsonrpc":"2.0","id":1,"method":"ping"}\n',
    '{"secret":"s","kind":"repl","session":"a"}\n{"line":"(+ 1 2)"}\n{"interrupt":true}\n{"end":true}\n',
    '{"secret":"s","kind":"repl"}\nx\n{"line":"heard by nobody"}\n',
    '{"secret":"s","kind":"command","command":"status","arguments":{}}\n',
  ],
  tokens: [
    '\n',
    '{',
    'x\n',
    '"kind":"repl"',
    '{"line":"a"}\n',
    '"secret":',
    '"__proto__":{}',
    'x'.repeat(70_000),
  ],
  listen: (line) => {
    const heard: unknown[] = [];
    const socket = line as unknown as Socket;
    const terminal = {
      closed: new Promise<void>(() => {}),
      submit: async (text: string) => void heard.push(text),
      interrupt: async () => void heard.push('interrupt'),
      drained: async () => {},
      end: async () => {},
    };
    const over = readHello(socket, 60_000)
      .then(async (hello) => {
        heard.push(hello);
        if (hello.kind !== 'repl') return;
        await Promise.all([serveRepl(socket, async () => terminal), ended(line)]);
      })
      .catch((error) => heard.push(asFailure(error)));
    const told = () => {
      expect(heard.length).toBeGreaterThan(0);
      expect(JSON.stringify(heard)).not.toContain('"internal"');
      return heard;
    };
    return { over, told };
  },
});

fuzzConversation({
  name: 'over telnet',
  seeds: [
    '123456\r\n(+ 1 2)\r\n',
    '000000\r\n\xff\xfd\x03123456\r\n(car\r\0\xff\xf4',
    '1\r\n2\r\n3\r\n123456\r\n',
  ],
  tokens: ['123456\r\n', '\r\n', '\xff\xf4', '\xff', '\x04', 'GET / HTTP/1.1\r\n'],
  listen: (line) => {
    const heard: string[] = [];
    let tries = 0;
    const connection = new TelnetConnection(line as unknown as Socket, {
      takeCode: (typed) => {
        tries += 1;
        return typed === '123456';
      },
      openTerminal: async () => ({
        closed: new Promise<void>(() => {}),
        submit: async (text: string) => void heard.push(text),
        interrupt: async () => {},
        drained: async () => {},
        end: async () => {},
      }),
      log: { error: () => {}, warn: () => {}, info: () => {} } as never,
    });
    void connection.serve();
    const told = () => {
      expect(tries).toBeLessThanOrEqual(3);
      return heard;
    };
    return { told };
  },
});
