import { describe, expect, it } from 'vitest';
import { BridgeLedger } from '../../electron/endpoints/local/bridge-ledger';

const request = (id: string | number, method: string, params = {}): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params });
const result = (id: string | number): string => JSON.stringify({ jsonrpc: '2.0', id, result: {} });

function opened(): BridgeLedger {
  const ledger = new BridgeLedger();
  ledger.sent(request(0, 'initialize', { protocolVersion: '2025-06-18' }));
  ledger.received(result(0));
  ledger.sent('{"jsonrpc":"2.0","method":"notifications/initialized"}');
  return ledger;
}

describe('BridgeLedger', () => {
  it('waits for each request until its answer, telling 1 and "1" apart', () => {
    const ledger = opened();
    ledger.sent(request(1, 'ping'));
    ledger.sent(request('1', 'ping'));
    ledger.received(result(1));
    expect(ledger.waiting).toBe(true);
    ledger.received(result('1'));
    expect(ledger.waiting).toBe(false);
  });

  it('waits for nothing that gets no answer', () => {
    const ledger = opened();
    ledger.sent('{"jsonrpc":"2.0","method":"notifications/progress","params":{}}');
    ledger.sent('not json');
    ledger.sent(result(3));
    ledger.sent(request(4, 'tools/call'));
    ledger.sent('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":4}}');
    expect(ledger.waiting).toBe(false);
  });

  it('a request of the harbor with the same id is no answer', () => {
    const ledger = opened();
    ledger.sent(request(1, 'tools/call'));
    expect(ledger.received(request(1, 'ping'))).toBe('pass');
    expect(ledger.waiting).toBe(true);
  });

  it('waits for each request of a batch', () => {
    const ledger = opened();
    ledger.sent(`[${request(1, 'ping')},${request(2, 'ping')},${request(3, 'ping')}]`);
    ledger.sent('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":3}}');
    expect(ledger.received(`[${result(2)}]`)).toBe('pass');
    expect(ledger.waiting).toBe(true);
    expect(ledger.lost().answers.map((answer) => JSON.parse(answer).id)).toEqual([1]);
    expect(ledger.waiting).toBe(false);
  });

  it('fails what was running, once', () => {
    const ledger = opened();
    ledger.sent(request('x', 'tools/call'));
    const { answers, again } = ledger.lost();
    expect(answers.map((answer) => JSON.parse(answer))).toMatchObject([{ id: 'x', error: { code: -32603 } }]);
    expect(again).toEqual([]);
    expect(ledger.lost()).toEqual({ answers: [], again: [] });
  });

  it('repeats an initialize that had no answer, and replays one that had', () => {
    const unanswered = new BridgeLedger();
    unanswered.sent(request(0, 'initialize'));
    expect(unanswered.lost()).toEqual({ answers: [], again: [request(0, 'initialize')] });
    expect(unanswered.replay()).toBeUndefined();

    const ledger = opened();
    const replay = JSON.parse(ledger.replay() ?? '');
    expect(replay).toMatchObject({ method: 'initialize', params: { protocolVersion: '2025-06-18' } });
    expect(replay.id).not.toBe(0);
    expect(ledger.received(result(replay.id))).toBe('opened');
    expect(ledger.received(result(replay.id))).toBe('pass');
    expect(ledger.initialized).toContain('notifications/initialized');
  });

  it('a replay may be refused, or lost in its turn', () => {
    const ledger = opened();
    const first = JSON.parse(ledger.replay() ?? '');
    expect(ledger.received(JSON.stringify({ jsonrpc: '2.0', id: first.id, error: {} }))).toBe('refused');
    ledger.replay();
    expect(ledger.lost()).toEqual({ answers: [], again: [] });
    const third = JSON.parse(ledger.replay() ?? '');
    expect(ledger.received(result(third.id))).toBe('opened');
  });

  it('has nothing to replay where there was no handshake', () => {
    const ledger = new BridgeLedger();
    ledger.sent(request(1, 'tools/call'));
    ledger.received(result(1));
    expect(ledger.replay()).toBeUndefined();
  });
});
