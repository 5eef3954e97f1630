/**
 * The definitions of a Clojure session are written to a file of the project with what they need, and nothing
 * else.
 */
import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { call, evaluate, values } from '../evaluation';
import { STARTING_MS } from '../nrepl-server';
import { StartedHarbor } from '../started-harbor';

let harbor: StartedHarbor;
let client: Client;

const inProject = (file: string) => path.join(harbor.project, file);
const held = (file: string) => readFileSync(inProject(file), 'utf8');
const save = (args: Record<string, unknown>) => call(client, 'write_file', args);

beforeAll(async () => {
  harbor = await StartedHarbor.start({ args: ['--engine', 'clojure'] });
  client = await harbor.client();
  mkdirSync(inProject('src/shop'), { recursive: true });
}, STARTING_MS);
afterAll(() => harbor.stop());

it('without the state of other namespaces, and what belongs to another file stays unsaved', async () => {
  await evaluate(client, '(set! *print-length* 50)');
  await evaluate(client, '(ns shop.core (:require [clojure.set :as set]))');
  await evaluate(client, '(defn all [& items] (reduce set/union (map set items)))');
  await evaluate(client, "(in-ns 'user) (def scratch 1)");
  const { text } = await save({ path: 'src/shop/core.clj', definitions: true });
  expect(text).toMatch(/^Wrote 1 definition\n/);
  expect(text).toContain(
    '; note: Omitted, because they are in other namespaces: user/scratch. Write each to its own file.',
  );
  expect(held('src/shop/core.clj')).toBe(
    '(ns shop.core (:require [clojure.set :as set]))\n\n(defn all [& items] (reduce set/union (map set items)))\n',
  );
  expect((await call(client, 'load', { path: 'src/shop/core.clj' })).isError).toBe(false);
});

it('into a file that exists as well', async () => {
  await evaluate(client, '(defn one [] 1)', { package: 'shop.core' });
  await evaluate(client, "(in-ns 'shop.core) (defn two [] 2) (in-ns 'user) (def other 1)");
  const { text } = await save({ path: 'src/shop/core.clj', definitions: true });
  expect(text).toContain('added defn one, defn two');
  expect(held('src/shop/core.clj')).toMatch(/\n\n\(defn one \[\] 1\)\n\n\(defn two \[\] 2\)\n$/);
  await save({ path: 'all.clj', definitions: true });
  expect(held('all.clj')).toBe('(ns user)\n\n(def scratch 1)\n\n(def other 1)\n');
  expect(await values(client, '[scratch other (shop.core/two)]')).toEqual(['[1 1 2]']);
});

it('and not into a file of another namespace', async () => {
  await evaluate(client, '(def stray 1)', { package: 'user' });
  const before = held('src/shop/core.clj');
  const { isError, text } = await save({ path: 'src/shop/core.clj', definitions: ['user/stray'] });
  expect([isError, text]).toEqual([
    true,
    expect.stringContaining(
      'The file has the namespace shop.core, and these were defined in user: (def stray 1).',
    ),
  ]);
  expect(held('src/shop/core.clj')).toBe(before);
});
