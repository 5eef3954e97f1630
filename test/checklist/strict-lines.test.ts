/** Where the SDK's transport for lines is laxer than the documents: what is wrong is answered, and the conversation goes on. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call } from '../integration/endpoint-lines';
import { initialize } from '../integration/endpoint-messages';
import { LINE_WAYS, linesOver } from '../line-ways';
import { StartedHarbor } from '../started-harbor';

let harbor: StartedHarbor;

beforeAll(async () => {
  harbor = await StartedHarbor.start({ args: ['--tcp-port', '0'] });
});
afterAll(() => harbor.stop());

describe.each(LINE_WAYS)('MCP in lines over %s', (way) => {
  it('S1-67 S1-63 S1-64 answers what is wrong with the right code and goes on', async () => {
    const { lines, end } = linesOver(way, harbor);
    lines.send(`${initialize('init')}\n`);
    await lines.answer('init');
    for (const [line, code] of [
      ['{not valid json}', -32700],
      ['[{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32600],
      ['"text"', -32600],
      ['{"jsonrpc":"1.0","method":"ping"}', -32600],
    ] as const) {
      lines.send(`${line}\n`);
      expect((await lines.answer(null)).error?.code).toBe(code);
    }
    lines.send({ id: 2, method: 'ping' });
    expect((await lines.answer(2)).error?.code).toBe(-32600);
    lines.send({ jsonrpc: '2.0', id: 3, method: 'no/such' });
    expect((await lines.answer(3)).error?.code).toBe(-32601);
    lines.send(call(4, 'nope'));
    expect((await lines.answer(4)).error).toMatchObject({
      code: -32602,
      message: expect.stringContaining('Unknown tool'),
    });
    // Since 2025-11-25 arguments that do not fit are an error of the tool, which a model can mend.
    lines.send(call(5, 'eval'));
    expect((await lines.answer(5)).result).toMatchObject({ isError: true });
    lines.send({ jsonrpc: '2.0', id: 6, method: 'ping' });
    expect((await lines.answer(6)).result).toEqual({});
    expect(await end()).toBe(0);
  });

  it('S1-68 refuses requests before initialize, save ping, and ends at the end of the input', async () => {
    const { lines, end } = linesOver(way, harbor);
    for (const [id, method] of ['tools/list', 'tools/call', 'resources/list', 'no/such'].entries()) {
      lines.send({ jsonrpc: '2.0', id, method, params: {} });
      expect((await lines.answer(id)).error).toMatchObject({
        code: -32600,
        message: expect.stringContaining('initialize'),
      });
    }
    lines.send({ jsonrpc: '2.0', id: 'ping', method: 'ping' });
    expect((await lines.answer('ping')).result).toEqual({});
    lines.send(`${initialize('init')}\n`);
    expect((await lines.answer('init')).result).toMatchObject({ protocolVersion: '2025-11-25' });
    lines.send(call('now', 'eval', { code: '(+ 1 2)' }));
    expect((await lines.answer('now')).result?.structuredContent).toMatchObject({
      forms: [{ values: ['3'] }],
    });
    expect(await end()).toBe(0);
  });
});
