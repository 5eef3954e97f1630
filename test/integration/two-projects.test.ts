/** Two projects in one harbor, in turn, by each engine: a session of the second reaches its own files, and knows nothing of the first. */
import { mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { call, evaluate } from '../evaluation';
import { STARTING_MS } from '../nrepl-server';
import { sampled } from '../rounds';
import { StartedHarbor, temporaryFolder } from '../started-harbor';

const LISP = (file: string) => `(and (probe-file "${file}") t)`;

/** Code that answers whether the file is there, and how yes and no are printed. */
const ENGINES = [
  { engine: 'sbcl', asks: LISP, yes: 'T', no: 'NIL' },
  { engine: 'ecl', asks: LISP, yes: 'T', no: 'NIL' },
  { engine: 'abcl', asks: LISP, yes: 'T', no: 'NIL' },
  {
    engine: 'acl2',
    asks: (file: string) =>
      `(mv-let (channel state) (open-input-channel "${file}" :character state) (mv (and channel t) state))`,
    yes: 'T <state>',
    no: 'NIL <state>',
  },
  {
    engine: 'clojure',
    asks: (file: string) => `(.exists (java.io.File. "${file}"))`,
    yes: 'true',
    no: 'false',
  },
  {
    engine: 'nbb',
    asks: (file: string) => `(require '["node:fs" :as fs]) (fs/existsSync "${file}")`,
    yes: 'true',
    no: 'false',
  },
];

let folder: string;
let harbor: StartedHarbor;
let client: Client;
const inProject = (name: string, file = '') => path.join(folder, name, file);

beforeAll(async () => {
  folder = realpathSync(temporaryFolder('two-projects'));
  for (const name of ['first', 'second']) {
    mkdirSync(inProject(name));
    writeFileSync(inProject(name, 'own.txt'), name);
  }
  const settings = { projects: [inProject('first'), inProject('second')] };
  harbor = await StartedHarbor.start({ project: inProject('first'), settings });
  client = await harbor.client();
}, STARTING_MS);
afterAll(async () => {
  await harbor.stop();
  rmSync(folder, { recursive: true, force: true });
});

const TRIED = sampled('two-projects', ENGINES, 3);

it.each(TRIED)('$engine', { timeout: STARTING_MS }, async ({ engine, asks, yes, no }) => {
  const sees = async (project: string) => {
    const opened = await call<{ session: string }>(client, 'open_session', {
      ...{ engine, project: inProject(project) },
    });
    const { session } = opened.structured;
    const answers: string[] = [];
    for (const name of ['first', 'second']) {
      const { structured } = await evaluate(client, asks(inProject(name, 'own.txt')), { session });
      answers.push(structured.values.join(' '));
    }
    await call(client, 'close_session', { session });
    return answers;
  };
  expect(await sees('first')).toEqual([yes, no]);
  expect(await sees('second')).toEqual([no, yes]);
});
