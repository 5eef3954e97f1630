/** Clojure's values and startup as agents see them: over HTTP, with each engine that has both. */
import path from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, evaluate, values } from '../evaluation';
import { missingFacts } from '../facts';
import { NreplServer, STARTING_MS } from '../nrepl-server';
import { StartedHarbor, temporaryFolder } from '../started-harbor';
import { writeFiles } from './loading-fixture';

interface Inspected {
  handle: string;
  kind: string;
  text: string;
  parts: { index: number; name: string; text?: string; settable?: boolean }[];
  total: number;
  next_offset: number | null;
  evaluation?: { outcome: string } | number;
}

let server: NreplServer;
let harbor: StartedHarbor;
let client: Client;

beforeAll(async () => {
  const project = temporaryFolder('project');
  server = await NreplServer.onJava(project);
  harbor = await StartedHarbor.start({ project });
  client = await harbor.client();
}, STARTING_MS);
afterAll(async () => {
  await harbor.stop();
  await server.stop();
});

const ENGINES = {
  clojure: { engine: 'clojure' },
  nbb: { engine: 'nbb' },
  'an attached server': { attach: { kind: 'nrepl' } },
};

const inspect = (args: object) => call<Inspected>(client, 'inspect', { ...args });

describe('inspect', { timeout: STARTING_MS }, () => {
  for (const [name, opening] of Object.entries(ENGINES))
    it(`shows and sets values of ${name}, part by part, by handle and by path`, async () => {
      const opened = await call<{ session: string }>(client, 'open_session', opening);
      const { session } = opened.structured;
      const { structured: map, text } = await inspect({ session, code: '{:a [10 20 30] :b (atom 1)}' });
      expect(map).toMatchObject({ kind: 'map', total: 2, next_offset: null });
      expect(missingFacts({ ...map }, text, {})).toEqual([]);
      const { handle } = map;
      const page = await inspect({ session, handle, path: [':a'], offset: 1, limit: 1 });
      expect(page.structured).toMatchObject({
        total: 3,
        next_offset: 2,
        parts: [{ index: 1, name: '1', text: '20' }],
      });
      const changed = await inspect({ session, handle, path: [':b', 'value'], set: '(+ 1 1)' });
      expect(changed.structured).toMatchObject({ kind: 'atom', parts: [{ text: '2', settable: true }] });
      const refused = await inspect({ session, handle, path: [':a', 0], set: '5' });
      expect(refused.isError).toBe(true);
      expect(refused.text).toContain("Clojure's data does not change");
      expect(await values(client, '(+ 40 2)', { session })).toEqual(['42']);
      expect((await inspect({ session })).structured).toMatchObject({ kind: 'number', text: '42' });
      const failed = await inspect({ session, code: '(throw (ex-info "bad" {}))' });
      expect(failed.isError).toBe(true);
      expect((await inspect({ session, handle: '#o9999' })).text).toMatch(/^unknown_handle/);
      expect((await evaluate(client, '*1', { session })).structured.outcome).toBe('ok');
    });
});

it('tells how the start of a JVM goes on', { timeout: STARTING_MS }, async () => {
  const told: string[] = [];
  const opened = await client.callTool(
    { name: 'open_session', arguments: { engine: 'clojure', name: 'told' } },
    { timeout: STARTING_MS, onprogress: ({ message }) => void told.push(message ?? '') },
  );
  expect(opened.isError).toBeFalsy();
  expect(told).toContain('starting a JVM');
});

describe('who calls a function', { timeout: STARTING_MS }, () => {
  interface Found {
    results: { form?: string; source: { path: string; line: number } }[];
    notes: string[];
  }
  const USED = `(ns used (:require [helping :refer [inc2]]))
(defn all [xs] (map inc2 xs))
(defn one [x] (inc2 x))
`;

  it('is told before it is loaded and after, with those who hand it on; and that others only name it', async () => {
    writeFiles(harbor.project, {
      'src/helping.clj': '(ns helping)\n(defn inc2 [x] (+ 2 x))\n(defn named [x] x)\n',
      'src/used.clj': USED,
      'src/quoting.clj': "(ns quoting (:require helping))\n(def table '{:it helping/named})\n",
    });
    const opened = await call<{ session: string }>(client, 'open_session', { engine: 'clojure' });
    const { session } = opened.structured;
    const find = (query: string) => call<Found>(client, 'find', { session, kind: 'caller', query });
    const places = async (query: string) => {
      const { structured, isError } = await find(query);
      expect(isError).toBe(false);
      return structured.results.map(({ source }) => [path.basename(source.path), source.line]);
    };
    const onlyNamed = async () => {
      expect(await places('helping/named')).toEqual([]);
      expect((await find('helping/named')).structured.notes).toContain(
        'No caller, but one other use. `find` with kind reference lists all uses.',
      );
    };
    const users = [2, 3].map((line) => ['used.clj', line]);
    expect(await places('helping/inc2')).toEqual(users);
    await onlyNamed();
    expect((await call(client, 'load', { session, system: 'project' })).isError).toBe(false);
    expect(await places('helping/inc2')).toEqual(users);
    await onlyNamed();
    expect((await find('helping/nothing')).isError).toBe(true);
  });
});
