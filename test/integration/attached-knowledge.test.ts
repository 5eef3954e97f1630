/**
 * Queries about names in attached servers other than Clojure on the JVM: by SCI, and by the server's own ops.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type BencodeValue, encode } from '../../electron/host/bencode';
import { connect } from '../../electron/images/attachable-servers';
import { NreplClient } from '../../electron/images/nrepl/client';
import { NreplSession } from '../../electron/images/nrepl/nrepl-session';
import { SciEvaluator, SciKnowledge, SciQueries } from '../../electron/images/nrepl/sci';

import { call, evaluate, values } from '../evaluation';
import { MockNrepl, type MockRequest } from '../nrepl-mock';
import { NreplServer, STARTING_MS } from '../nrepl-server';
import { StartedHarbor, temporaryFolder } from '../started-harbor';
import { ROOT } from '../unit/setup-checkout';

type Ends = (() => unknown)[];
const ends: Ends = [];
async function endAll(those: Ends): Promise<void> {
  for (const end of those.splice(0).reverse()) await end();
}
afterEach(() => endAll(ends));

interface Found {
  results: { text: string; kind: string; documentation?: string }[];
  total: number;
}

/** Starts the app for `project`, with a session of the server in its port file. */
async function attached(project: string, atEnd = ends): Promise<{ client: Client; session: string }> {
  // Some of these servers are mocks, which do not run in the project.
  const approvals = [{ client: null, class: 'attach', answer: 'allow' }];
  const harbor = await StartedHarbor.start({ project, settings: { approvals } });
  atEnd.push(() => harbor.stop());
  const client = await harbor.client();
  const opened = await call<{ session: string }>(client, 'open_session', { attach: { kind: 'nrepl' } });
  return { client, session: opened.structured.session };
}

const CART = `(ns shop.cart "Carts." (:require [clojure.string :as str]))
(defn total "Adds “all”.\\nThen rounds." [prices] (reduce + prices))
(defmacro twice [form] \`(do ~form ~form))
`;

describe('a session attached to nbb', () => {
  async function withCart(atEnd = ends) {
    const project = temporaryFolder('project');
    mkdirSync(path.join(project, 'shop'));
    writeFileSync(path.join(project, 'shop/cart.cljs'), CART);
    const server = await NreplServer.onNbb(project);
    atEnd.push(() => server.stop());
    const { client, session } = await attached(project, atEnd);
    await evaluate(client, "(require 'shop.cart)", { session });
    const ask = <T>(tool: string, request: object) => call<T>(client, tool, { session, ...request });
    return { client, session, ask };
  }

  const endsOfShared: Ends = [];
  let shared: Awaited<ReturnType<typeof withCart>>;
  beforeAll(async () => {
    shared = await withCart(endsOfShared);
  });
  afterAll(() => endAll(endsOfShared));

  it('describes names, with their files', async () => {
    const { ask } = shared;
    const { structured } = await ask<{ definitions: object[] }>('describe', { symbol: 'shop.cart/total' });
    expect(structured.definitions).toEqual([
      {
        kind: 'function',
        name: 'shop.cart/total',
        arglist: '([prices])',
        documentation: 'Adds “all”.\nThen rounds.',
        source: expect.objectContaining({ path: 'shop/cart.cljs', line: 2 }),
      },
    ]);
    expect((await ask('describe', { symbol: 'nowhere' })).text).toMatch(/^unknown_symbol: /);
    const machine = await ask('describe', { symbol: 'shop.cart/total', disassemble: true });
    expect(machine.text).toMatch(/^not_supported: .*nbb/);
  });

  it('finds names by a part, what they become, and what no file holds', async () => {
    const { ask, client, session } = shared;
    const found = async (kind: string, query: string, more: object = {}) =>
      (await ask<Found>('find', { kind, query, ...more })).structured.results.map(({ text }) => text);
    expect(await found('apropos', 'TOTAL')).toEqual(['shop.cart/total']);
    expect(await found('completion', 'str/upper', { package: 'shop.cart' })).toEqual(['str/upper-case']);
    expect(await found('definition', 'shop.cart/twice')).toEqual(['shop.cart/twice']);
    await evaluate(client, '(def answer 42)', { session });
    expect(await found('unsaved', '')).toEqual(['user/answer']);
    expect((await ask<Found>('find', { kind: 'apropos', query: '', limit: 3 })).structured).toMatchObject({
      results: { length: 3 },
      total: expect.toSatisfy((total: number) => total > 100),
    });
    expect((await ask('find', { kind: 'caller', query: 'map' })).text).toMatch(/^not_supported: .*nbb/);
    expect((await ask('inspect', { code: '[1]' })).text).toMatch(/^not_supported: /);
  });

  it('expands macros', async () => {
    const { ask } = shared;
    const expanded = await ask<{ expansion: string }>('describe', { form: '(shop.cart/twice (f))' });
    expect(expanded.structured.expansion).toBe('(do (f) (f))');
  });

  it('is left as it was, whatever its code has made of our names', async () => {
    const { ask, client, session } = await withCart();
    await evaluate(client, '(ns there) (def let 1) (defn nth [& _] 2) (def load-string 3) 11 22 33', {
      session,
    });
    expect((await ask<Found>('find', { kind: 'completion', query: 'load-st' })).structured.total).toBe(1);
    const state = '[*1 *2 *3 *e (str *ns*) (filterv #(re-find #"harbor" (str %)) (all-ns))]';
    expect(await values(client, state, { session })).toEqual(['[33 22 11 nil "there" []]']);
  });
});

describe('SCI whose language is Clojure, as babashka', () => {
  it(
    'is asked with code that Clojure itself takes too, and is left as it was',
    async () => {
      const server = await NreplServer.onJava(temporaryFolder('project'));
      ends.push(() => server.stop());
      const client = new NreplClient(await connect({ kind: 'nrepl', host: '127.0.0.1', port: server.port }));
      ends.push(() => client.close());
      const session = await NreplSession.clone(client);
      if (!session) throw new Error('there is no session');
      const folder = path.join(ROOT, 'resources/clojure');
      const namespace = () => 'user';
      const questions = new SciEvaluator({ client, session, dialect: 'Clojure', folder, namespace });
      const queries = new SciQueries('babashka', (...call) => questions.run(...call));
      const knowledge = new SciKnowledge('babashka', queries, namespace);
      const seen: (BencodeValue | undefined)[] = [];
      const request = { op: 'eval', session: session.id };
      await client.request({ ...request, code: '(defmulti area "Of a shape." :shape) 1 2 3' });
      expect((await knowledge.describe({ symbol: 'area' })).definitions).toMatchObject([
        { kind: 'multimethod', name: 'user/area', documentation: 'Of a shape.' },
      ]);
      const found = await knowledge.find({ kind: 'completions', query: 'map-in', limit: 5 });
      expect(found.results).toMatchObject([{ kind: 'function', text: 'map-indexed' }]);
      const state = '[*1 *2 *3 (str *ns*) (filter #(re-find #"harbor" (str %)) (all-ns))]';
      await client.request({ ...request, code: state }, ({ value }) => seen.push(value));
      expect(seen[0]).toBe('[3 2 1 "user" ()]');
    },
    STARTING_MS,
  );
});

describe('a server with ops of its own', () => {
  /** Answers to ops; an unknown op does not change the list of ops. */
  const ANSWERS: Record<string, Record<string, BencodeValue>> = {
    info: { name: 'total', ns: 'cart', doc: 'Adds.', 'arglists-str': '[prices]', file: '/cart.x', line: 2 },
    eldoc: { eldoc: [['prices'], ['prices', 'start']], docstring: 'Adds.', type: 'function' },
    complete: {
      completions: [
        { candidate: 'total', type: 'function', doc: 'Adds.' },
        { candidate: 'totals', type: 'var' },
      ],
    },
  };

  async function serving(ops: readonly string[]) {
    const server = await MockNrepl.start(
      (request: MockRequest, respond) => {
        const { op, id } = request;
        const known = op !== 'info' || request.sym === 'total';
        const described = {
          ops: Object.fromEntries([...ops, 'eval'].map((each) => [each, {}])),
          versions: {},
        };
        const answer = op === 'describe' ? described : known ? ANSWERS[String(op)] : {};
        respond(encode({ id: id ?? '', ...answer, status: ['done'] }));
      },
      ['describe', 'eval', ...ops],
    );
    ends.push(() => server.stop());
    const project = temporaryFolder('project');
    writeFileSync(path.join(project, '.nrepl-port'), String(server.port));
    const { client, session } = await attached(project);
    return <T>(tool: string, request: object) => call<T>(client, tool, { session, ...request });
  }

  it('is asked by them', async () => {
    const ask = await serving(['info', 'complete']);
    const described = await ask<{ definitions: object[] }>('describe', { symbol: 'total' });
    expect(described.structured.definitions).toMatchObject([
      {
        kind: 'function',
        name: 'cart/total',
        arglist: '[prices]',
        documentation: 'Adds.',
        source: { line: 2 },
      },
    ]);
    expect((await ask('describe', { symbol: 'nowhere' })).text).toMatch(/^unknown_symbol: /);
    const found = await ask<Found>('find', { kind: 'completion', query: 'to', limit: 1 });
    expect(found.structured).toMatchObject({
      results: [{ kind: 'function', text: 'total', documentation: 'Adds.' }],
      total: 2,
    });
    expect((await ask('find', { kind: 'apropos', query: 'to' })).text).toMatch(/no op apropos/);
  });

  it('that tells but the arguments of a name is asked for them', async () => {
    const ask = await serving(['eldoc']);
    const described = await ask<{ definitions: object[] }>('describe', { symbol: 'total' });
    expect(described.structured.definitions).toEqual([
      { kind: 'function', name: 'total', arglist: '([prices] [prices start])', documentation: 'Adds.' },
    ]);
  });

  it('that says nothing of names is told to be without', async () => {
    const ask = await serving([]);
    expect((await ask('describe', { symbol: 'total' })).text).toMatch(/^not_supported: .*does not offer/);
  });
});
