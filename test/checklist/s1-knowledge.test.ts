/** Rows about exploring a live image: by evaluation, and by inspecting the last value. */
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, evaluate, values } from '../evaluation';
import { sampled } from '../rounds';
import { sharedHarbor } from '../shared-harbor';
import { type StartedHarbor, WAYS } from '../started-harbor';
import { StdioLines } from '../stdio-client';

let harbor: StartedHarbor;
let client: Client;

describe.each(sampled('s1-knowledge ways', WAYS, 1))('over %s', (way) => {
  beforeAll(async () => {
    harbor = await sharedHarbor();
    client = await harbor.over(way);
  });
  afterAll(() => harbor.stop());

  describe('cl-mcp-server: exploring', () => {
    it('S1-23 explores by direct evaluation', async () => {
      expect(await values(client, '(apropos-list "MULTIPLE-VALUE-B" :cl)')).toEqual([
        '(MULTIPLE-VALUE-BIND)',
      ]);
      const { stdout } = (await evaluate(client, '(describe (quote car))')).structured;
      expect(stdout).toContain('CAR names a compiled function');
    });

    it('S1-24 inspects the last value, part by part', async () => {
      await evaluate(client, "(list 1 (list :two 'three) (make-hash-table))");
      const { structured, text } = await call<{ parts: { text: string }[] }>(client, 'inspect', {
        path: [1],
      });
      expect(structured.parts.map((part) => part.text)).toEqual([':TWO', 'THREE']);
      expect(text).toContain('0: :TWO');
    });

    it('S1-24 inspects the last value over stdio', async () => {
      const stdio = new StdioLines(harbor);
      await stdio.initialize();
      const ask = (id: number, name: string, args: object) =>
        stdio.ask({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } });
      await ask(1, 'eval', { code: '(list :a :b)' });
      const { result } = await ask(2, 'inspect', {});
      expect(result?.structuredContent).toMatchObject({
        kind: 'list',
        parts: [{ text: ':A' }, { text: ':B' }],
      });
      await stdio.end();
    });
  });
});
