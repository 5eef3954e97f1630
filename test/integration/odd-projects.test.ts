/** Projects that are not tidy, as an agent has them: searched, listed, edited, loaded and tested by SBCL and Clojure. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Agent, AgentProject, agentOf, COMPILING_MS } from '../agent-project';
import { STARTING_MS } from '../nrepl-server';
import { makeOdd, WILD_NAMES } from '../odd-project';

const FILES = {
  'src/app.asd': '(defsystem "app" :components ((:file "app")))\n',
  'src/app.lisp': '(defun sought () :app)\n',
  'deps.edn': '{:paths ["src"]}\n',
  'src/shop.clj': '(ns shop)\n(defn total [] 3)\n',
  'src/shop_test.clj':
    '(ns shop-test (:require [shop] [clojure.test :refer [deftest is]]))\n(deftest adds (is (= 3 (shop/total))))\n',
};

let project: AgentProject;
let agent: Agent;

beforeAll(async () => {
  project = await AgentProject.start({ engine: 'sbcl', files: FILES });
  makeOdd(project.harbor.project, 'src');
  agent = agentOf(await project.harbor.client());
});
afterAll(() => project.stop());

describe('a project with links in circles, upwards and to nowhere, unreadable folders and odd names', () => {
  it('is searched to its end, each file once', async () => {
    const { text, structured } = await agent.done('find', { kind: 'text', query: 'sought' });
    expect(structured).toMatchObject({ total: 1, notes: [] });
    expect(text).toContain('src/app.lisp:1');
  });

  it('is listed', async () => {
    const { text } = await agent.done('read_file', { path: 'src' });
    for (const name of [...WILD_NAMES.map((each) => `${each}/`), 'app.lisp']) expect(text).toContain(name);
    expect(text).not.toContain('dangling');
  });

  it.each(WILD_NAMES)('has files called %s, which are written, read, searched and loaded', async (name) => {
    const path = `src/${name}/${name}.lisp`;
    await agent.done('write_file', { path, content: `(in-package :cl-user)\n(defun called () 1)\n` });
    expect((await agent.done('read_file', { path })).text).toContain('(defun called');
    expect((await agent.done('find', { kind: 'text', query: 'called', path: `src/${name}` })).text).toContain(
      path,
    );
    expect(await agent.record('load', { path })).toMatchObject({ outcome: 'ok' });
    const { text } = await agent.done('describe', { symbol: 'called' });
    expect(text).toContain(`${path}:2`);
  });

  it(
    'has its systems found, and its namespaces loaded and tested',
    async () => {
      expect(await agent.record('load', { system: 'app' })).toMatchObject({ outcome: 'ok' });
      const { structured } = await agent.done<{ session: string }>('open_session', { engine: 'clojure' });
      const { session } = structured;
      expect(await agent.record('load', { session, system: 'project' })).toMatchObject({ outcome: 'ok' });
      expect((await agent.record('run_tests', { session })).report?.runs).toMatchObject([
        { counts: { passed: 1 } },
      ]);
    },
    COMPILING_MS + STARTING_MS,
  );
});
