/** The tools that MCP-nREPL gained after its document, against real servers of two kinds. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { call } from '../evaluation';
import { NREPL_SERVERS, STARTING_MS } from '../nrepl-server';
import { StartedHarbor, temporaryFolder } from '../started-harbor';

/** Only a server on Java loads files by their paths. */
const LOADED = { Java: /^=> "grown"/, nbb: /^not_supported: .*evaluating/ };

/** A name whose source the server finds: that of a library on the classpath, or none. */
const WITH_SOURCE = { Java: 'clojure.string/blank?', nbb: null };

it.each(NREPL_SERVERS)(
  'on $host files are loaded, namespaces required, names explained, found and completed, and the last error shown',
  async ({ host, start }) => {
    const project = temporaryFolder('project');
    const server = await start(project);
    onTestFinished(() => server.stop());
    const harbor = await StartedHarbor.start({ project, args: ['--profile', 'nrepl'] });
    onTestFinished(async () => {
      await harbor.stop();
    });
    const client = await harbor.client('legacy', { profile: 'nrepl' });
    const evaluated = async (code: string) => (await call(client, 'nrepl-eval', { code })).text;
    const grown = '(ns grown)\n(defn grown-up "Twice." [x] (* 2 x))\n';
    writeFileSync(path.join(harbor.project, 'grown.clj'), grown);
    const ask = (name: string, args: Record<string, unknown> = {}) => call(client, name, args);
    const loaded = await ask('nrepl-load-file', { 'file-path': 'grown.clj' });
    expect(loaded.text).toMatch(LOADED[host]);
    if (loaded.isError) await evaluated(`${grown}(in-ns 'user)`);
    const required = { namespace: 'clojure.string', as: 'text', refer: ['join'] };
    expect((await ask('nrepl-require', required)).text).toMatch(/^Required clojure\.string/);
    expect(await evaluated('[(text/upper-case "a") (join [1 2])]')).toMatch(/^\["A" "12"\]/);
    const closing = await ask('nrepl-require', { namespace: 'clojure.set]) (def taken 1) (quote [a' });
    expect(closing).toMatchObject({ isError: true });
    expect(closing.text).toMatch(/invalid namespace/);
    const doc = await ask('nrepl-doc', { symbol: 'grown/grown-up' });
    expect(doc.text).toMatch(/grown-up.*\[x\].*Twice\./s);
    expect((await ask('nrepl-apropos', { query: 'grown-u' })).text).toMatch(/grown\/grown-up/);
    expect((await ask('nrepl-complete', { prefix: 'grown/gr' })).text).toMatch(/grown-up/);
    const symbol = WITH_SOURCE[host];
    if (symbol) expect((await ask('nrepl-source', { symbol })).text).toMatch(/^\(defn blank\?/);
    expect((await ask('nrepl-source', { symbol: 'grown/nothing' })).isError).toBe(true);
    await ask('nrepl-eval', { code: '(throw (ex-info "planned" {}))' });
    expect((await ask('nrepl-stacktrace')).text).toMatch(/planned/);
    const health = await ask('nrepl-health-check', { verbose: true });
    expect(health.text).toMatch(/5\/5 tests passed.*One evaluation takes [\d.]+ ms\..*"connected": true/s);
    expect((await ask('get-mcp-nrepl-context')).text).toBe(client.getInstructions());
  },
  STARTING_MS,
);
