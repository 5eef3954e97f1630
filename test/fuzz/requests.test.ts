/** What strangers ask on this computer: bodies and paths of HTTP, lines of JSON-RPC, the first words on each port. */
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { expect } from 'vitest';
import { lisplyPath } from '../../electron/compat/lisply/lisply-backend';
import { openingOf } from '../../electron/endpoints/editors/swank';
import { readJson } from '../../electron/endpoints/http/http-messages';
import { routeOf } from '../../electron/endpoints/http/http-server';
import { bearerToken, isOwnHost, isOwnOrigin } from '../../electron/endpoints/http/loopback-http';
import { BridgeLedger } from '../../electron/endpoints/local/bridge-ledger';
import { opensAsWeb } from '../../electron/endpoints/loopback';
import { SessionEvents } from '../../electron/endpoints/mcp/event-stream';
import { readMessages } from '../../electron/endpoints/mcp/messages';
import { fuzzText } from './parser';

const REQUESTS = {
  seeds: [
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"eval","arguments":{"code":"(+ 1 2)"},"_meta":{"progressToken":7}}}',
    '{"jsonrpc":"2.0","id":"a","method":"initialize","params":{"protocolVersion":"2025-03-26","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}',
    '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1,"reason":"no"}}',
    '[{"jsonrpc":"2.0","id":2,"method":"ping"},{"jsonrpc":"2.0","id":3,"result":{}}]',
  ],
  tokens: [
    '{',
    '}',
    '[',
    ']',
    ',',
    '"id":',
    '"method":',
    '"result":{}',
    '"params":',
    '"__proto__":',
    '\\ud800',
    '{"jsonrpc":"2.0","id":1,"method":"ping"},',
  ],
};

fuzzText({
  ...REQUESTS,
  name: 'a body of HTTP',
  broke: [`{"jsonrpc":"2.0","id":1,"method":"a","params":{"a":${'['.repeat(50_000)}${']'.repeat(50_000)}}}`],
  read: async (text) => {
    const stream = Readable.from([Buffer.from(text)]);
    const headers = { 'content-type': 'application/json' };
    const body = await readJson(Object.assign(stream, { headers }) as unknown as IncomingMessage);
    const read = body.ok
      ? [undefined, '2025-03-26', '2025-11-25'].map((version) => readMessages(body.value, version))
      : [];
    return { body, read };
  },
  holds: ({ body, read }) => {
    if (!body.ok) expect([400, 413, 415]).toContain(body.status);
    // It goes into the history, and from one thread to another.
    for (const each of read) expect(() => JSON.stringify(each)).not.toThrow();
  },
});

fuzzText({
  ...REQUESTS,
  name: 'lines that the stdio bridge remembers',
  read: (text) => {
    const ledger = new BridgeLedger();
    for (const line of text.split('\n')) ledger.sent(line);
    for (const line of text.split('\n')) ledger.received(line);
    return [...ledger.lost().answers, ledger.replay() ?? '{}'];
  },
  holds: (lines) => {
    for (const line of lines) expect(() => JSON.parse(line)).not.toThrow();
  },
});

fuzzText({
  name: 'a path, a host, an origin and a token',
  seeds: [
    '/mcp/default',
    '/lisply/a-1/lisp-eval?x',
    '/health',
    '127.0.0.1:80',
    'http://localhost:80',
    'Bearer abc~+/=',
  ],
  tokens: ['/', '?', '%2e', '..', 'lisply/', 'Bearer ', 'a', '=', '@'],
  read: (text) => ({
    route: routeOf('POST', text, {
      profiles: ['default'],
      mounts: [(method, path) => lisplyPath(method, path, 'lisply')],
    }),
    own: isOwnHost([text], 80) || isOwnOrigin(text, 80, 'http'),
    token: bearerToken(text),
  }),
  holds: ({ route, own }, text) => {
    if (own) expect(['127.0.0.1:80', 'localhost:80']).toContain(text.replace('http://', ''));
    if (route.to === 'mcp') expect([null, 'default']).toContain(route.profile);
  },
});

fuzzText({
  name: 'how a stranger begins on the port of Swank',
  seeds: [
    '000023(:emacs-rex (swank:connection-info))',
    '000006secret000023(:emacs-rex (slynk:x))',
    'GET / HTTP/1.1\r\n',
  ],
  tokens: ['0', 'f', '(', '000001(', 'ffffff', '(:emacs-rex (slynk:'],
  read: (text) => {
    const bytes = Buffer.from(text, 'latin1');
    return { bytes, opening: openingOf(bytes), web: opensAsWeb(bytes) };
  },
  holds: ({ bytes, opening }) => {
    if (typeof opening === 'object') expect(bytes[opening.secretBytes + 6]).toBe(0x28);
    if (bytes.length > 1_100) expect(opening).not.toBe('undecided');
  },
});

fuzzText({
  name: 'the event that a client has seen last',
  seeds: ['12_stream', '1_a_b'],
  tokens: ['_', '9', '\n'],
  read: (text) => new SessionEvents().after(text),
});
