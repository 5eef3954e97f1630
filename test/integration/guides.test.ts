/** The guides for agents, tried: each engine evaluates what its guide shows, in the order in which it is shown. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, evaluate } from '../evaluation';
import { sharedHarbor } from '../shared-harbor';
import { ROOT, type StartedHarbor } from '../started-harbor';

let harbor: StartedHarbor;
let client: Client;

beforeAll(async () => {
  harbor = await sharedHarbor();
  client = await harbor.client();
});

afterAll(() => harbor.stop());

async function guide(engine: string): Promise<string> {
  const { contents } = await client.readResource({ uri: `lisp://guide/${engine}` });
  const [content] = contents;
  return content && 'text' in content ? content.text : '';
}

describe.each(['sbcl', 'clojure', 'nbb', 'nrepl'])('the guide to %s', (engine) => {
  it('is short, and is the file', async () => {
    const text = await guide(engine);
    const file = readFileSync(path.join(ROOT, 'resources/guides', `${engine}.md`), 'utf8');
    // A mention of a tool has braces around it, and the tool's name in it.
    expect(text).toBe(file.replaceAll(/\{\{|\}\}/g, '').replaceAll(/\{(\w+)\}/g, '`$1`'));
    expect(text.split('\n').length).toBeLessThan(80);
  });
});

describe.each(['sbcl', 'clojure', 'nbb'])('the guide to %s', (engine) => {
  it('shows what is so', async () => {
    const blocks = [...(await guide(engine)).matchAll(/^```\w+( fails)?\n([\s\S]*?)^```$/gm)];
    expect(blocks.length).toBeGreaterThan(3);
    const { session } = (await call<{ session: string }>(client, 'open_session', { engine })).structured;
    for (const [, fails, code = ''] of blocks) {
      const { structured } = await evaluate(client, code, { session });
      expect([code, structured.outcome]).toEqual([code, fails === undefined ? 'ok' : 'error']);
    }
  });
});

describe('what the guide to SBCL says of redefinition', () => {
  it.each([
    ['(defstruct point x y) (defstruct point x y z)', 'error'],
    ['(defconstant +limit+ 1) (defconstant +limit+ 2)', 'error'],
    ['(defclass thing () ()) (defclass thing () ((name)))', 'ok'],
  ])('%s: %s', async (code, outcome) => {
    const { session } = (await call<{ session: string }>(client, 'open_session', { engine: 'sbcl' }))
      .structured;
    expect((await evaluate(client, code, { session })).structured.outcome).toBe(outcome);
  });
});
