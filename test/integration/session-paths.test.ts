/** Paths that one tool tells work in the next: those of a session are meant as in its project, which may be named in short. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { call } from '../evaluation';
import { sharedHarbor } from '../shared-harbor';
import type { StartedHarbor } from '../started-harbor';

let harbor: StartedHarbor;
let client: Client;

const inProject = (file: string) => path.join(harbor.project, file);
const written = (file: string) => readFileSync(inProject(file), 'utf8');
const tool = (name: string, args: Record<string, unknown>) => call<{ content: string }>(client, name, args);

beforeAll(async () => {
  harbor = await sharedHarbor();
  client = await harbor.client();
});
afterAll(() => harbor.stop());

it('paths are meant as the session tells them that is named', async () => {
  mkdirSync(inProject('inner/src'), { recursive: true });
  writeFileSync(inProject('inner/src/a.clj'), '(ns a)\n(defn f [] 1)\n');
  const opened = await call<{ session: string }>(client, 'open_session', { project: 'inner' });
  const { session } = opened.structured;
  const place = { path: 'src/a.clj', session };
  const found = await call<{ results: object[] }>(client, 'find', { session, kind: 'text', query: 'defn f' });
  expect(found.structured.results).toMatchObject([{ source: { path: 'src/a.clj', line: 2 } }]);
  expect((await tool('read_file', place)).structured.content).toContain('(defn f [] 1)');
  const form = { operation: 'replace', form_type: 'defn', form_name: 'f', content: '(defn f [] 2)' };
  expect((await tool('edit_form', { ...place, ...form })).text).toContain('· src/a.clj ·');
  await tool('write_file', { path: 'src/b.clj', content: '(ns b)\n', session });
  expect([written('inner/src/a.clj'), written('inner/src/b.clj')]).toEqual([
    '(ns a)\n(defn f [] 2)\n',
    '(ns b)\n',
  ]);
  expect((await tool('read_file', { path: 'src/a.clj' })).text).toMatch(/^file_missing/);
  expect((await tool('read_file', { ...place, session: 'nbb-none' })).text).toMatch(/^unknown_session/);
});

it('a project that leads out of what a person approved is refused, however it is named', async () => {
  for (const project of ['..', '../..', 'inner/../..']) {
    const refused = await call(client, 'open_session', { project });
    expect(refused.text).toMatch(/^project_not_approved/);
  }
  expect((await call(client, 'open_session', { project: 'none' })).text).toMatch(
    /^bad_arguments: none is not a folder/,
  );
});
