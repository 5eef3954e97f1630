/** Aliases of deps.edn and profiles of project.clj that a session is opened with. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { call } from '../evaluation';
import { sharedHarbor } from '../shared-harbor';
import type { StartedHarbor } from '../started-harbor';

let harbor: StartedHarbor;
let client: Client;

beforeAll(async () => {
  harbor = await sharedHarbor();
  client = await harbor.client();
  const write = (name: string, text: string) => {
    mkdirSync(path.dirname(path.join(harbor.project, name)), { recursive: true });
    writeFileSync(path.join(harbor.project, name), text);
  };
  write(
    'deps/deps.edn',
    '{:paths ["src"] :aliases {:dev {:extra-paths ["dev"]} :bench {:extra-paths ["bench"]}}}',
  );
  write('deps/dev/tools.clj', '(ns tools) (def what :dev)');
  write('deps/bench/runs.clj', '(ns runs) (def what :bench)');
  write('lein/project.clj', '(defproject a "1" :profiles {:bench {:source-paths ["bench"]}})');
  write('lein/bench/runs.clj', '(ns runs) (def what :bench)');
}, 120_000);
afterAll(() => harbor.stop());

const open = (args: Record<string, unknown>) => call<{ session: string }>(client, 'open_session', args);

it('are on the classpath only when they are chosen', async () => {
  const code =
    '(mapv #(try (require %) @(ns-resolve (find-ns %) (quote what)) (catch java.io.FileNotFoundException _ nil)) (quote [tools runs]))';
  for (const [aliases, value] of [
    [undefined, '[nil nil]'],
    [[':dev'], '[:dev nil]'],
    [['dev', 'bench'], '[:dev :bench]'],
  ] as const) {
    const { structured } = await open({ engine: 'clojure', project: 'deps', ...(aliases && { aliases }) });
    const { session } = structured;
    expect((await call(client, 'eval', { code, session })).text).toContain(value);
    // A new image of the session has the same aliases.
    if (aliases?.length === 1) {
      await call(client, 'load', { session });
      expect((await call(client, 'eval', { code, session })).text).toContain(value);
    }
    await call(client, 'close_session', { session });
  }
  const { session } = (await open({ engine: 'clojure', project: 'lein', aliases: ['bench'] })).structured;
  expect((await call(client, 'eval', { code, session })).text).toContain('[nil :bench]');
}, 300_000);

it.each([
  [{ engine: 'clojure', project: 'deps', aliases: ['bensh'] }, /^bad_arguments.*bench/],
  [{ engine: 'clojure', project: 'deps', aliases: ['a b'] }, /^bad_arguments.*:test/],
  [{ engine: 'clojure', aliases: ['dev'] }, /^bad_arguments.*deps\.edn/],
  [{ engine: 'sbcl', aliases: ['dev'] }, /^not_supported/],
])('%o is refused', async (args, expected) => {
  const { isError, text } = await open(args);
  expect([isError, text]).toEqual([true, expect.stringMatching(expected)]);
});
