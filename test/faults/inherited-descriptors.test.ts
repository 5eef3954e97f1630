/** No image, nor anything that stands before it, has a descriptor of the harbor: neither its event loop nor its files. */
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { call, evaluate } from '../evaluation';
import { descendants, sharedDescriptors } from '../processes';
import { sampled } from '../rounds';
import { StartedHarbor } from '../started-harbor';

let harbor: StartedHarbor;
let client: Client;

beforeAll(async () => {
  harbor = await StartedHarbor.start();
  client = await harbor.client();
});
afterAll(() => harbor.stop());

it.each(sampled('inherited-descriptors', ['sbcl', 'acl2', 'clojure', 'nbb', 'ecl', 'abcl'], 3))(
  '%s',
  async (engine) => {
    const { structured } = await call<{ session: string }>(client, 'open_session', { engine });
    expect((await evaluate(client, '1', { session: structured.session })).structured.outcome).toBe('ok');
    const children = descendants(harbor.ready.pid);
    expect(children.length).toBeGreaterThan(0);
    for (const pid of children) expect(sharedDescriptors(harbor.ready.pid, pid)).toEqual([]);
    await call(client, 'close_session', { session: structured.session });
  },
);
