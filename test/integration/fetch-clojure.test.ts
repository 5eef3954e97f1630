/**
 * Fetching missing libraries of a Clojure project with Leiningen, in the sandbox, from a local repository.
 */
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { EvaluationRecord } from '../../electron/tools/evaluation/record';
import { call, evaluate } from '../evaluation';
import { publish } from '../maven';
import { STARTING_MS } from '../nrepl-server';
import { StartedHarbor, temporaryFolder } from '../started-harbor';
import { WebFolder } from '../web-folder';
import { writeFiles } from './loading-fixture';

/** Leiningen's own dependencies are installed, as packaged by Debian. */
const DEBIAN = '/usr/share/maven-repo';

/** Leiningen requires HTTPS unless a project allows HTTP. */
const PLAIN_HTTP = `(require 'cemerick.pomegranate.aether)
(cemerick.pomegranate.aether/register-wagon-factory! "http" #(org.apache.maven.wagon.providers.http.HttpWagon.))`;

const ALLOWED = { client: null, class: 'network', answer: 'allow' };

let home: string;
let web: WebFolder;

beforeEach(async () => {
  home = temporaryFolder('home');
  const repository = temporaryFolder('repository');
  publish(repository, { group: 'org.made', artifact: 'thing', version: '3' }, [
    { group: 'org.made', artifact: 'part', version: '4' },
  ]);
  publish(repository, { group: 'org.made', artifact: 'part', version: '4' });
  publish(path.join(home, '.m2/repository'), { group: 'org.own', artifact: 'mine', version: '1' });
  web = await WebFolder.start([repository, DEBIAN]);
  onTestFinished(() => web.stop());
});

/** Starts the app for a user with the home folder `home`, on a project that needs `libraries`. */
async function harbor(libraries: string, code: string) {
  const [project, data] = [temporaryFolder('project'), temporaryFolder('data')];
  const mirror = `{:name "made" :url "${web.url}"}`;
  writeFiles(project, {
    'project.clj': `${PLAIN_HTTP}\n${code}\n(defproject shop "1" :dependencies [${libraries}]
      :mirrors {"central" ${mirror} "clojars" ${mirror}})`,
    'src/shop.clj': '(ns shop (:require thing.core)) (def sold thing.core/version)',
  });
  writeFileSync(
    path.join(data, 'settings.json'),
    JSON.stringify({ approvals: [ALLOWED], loopbackPorts: [web.port], softLimitMs: 2 * STARTING_MS }),
  );
  const started = await StartedHarbor.start({
    ...{ project, data, args: ['--engine', 'clojure'] },
    env: { HOME: home },
  });
  onTestFinished(async () => void (await started.stop()));
  return { client: await started.client() };
}

const fetchLibraries = (client: Client) => call<EvaluationRecord>(client, 'load', { fetch: true });
const ownFiles = () => readdirSync(home, { recursive: true }).map(String).sort();

describe('fetching what Leiningen’s project file names', { timeout: 2 * STARTING_MS }, () => {
  it('brings what is missing, for the next image; the project’s code reads nothing else and writes nowhere else', async () => {
    const other = temporaryFolder('other');
    writeFiles(other, { 'secret.txt': 'unseen' });
    writeFiles(home, { '.m2/settings.xml': 'unseen', '.ssh/id': 'unseen' });
    const tries = [`${home}/.m2/repository/evil`, `${home}/evil`, `${other}/evil`];
    const reads = [`${home}/.m2/settings.xml`, `${home}/.ssh/id`, `${other}/secret.txt`];
    const code = `(doseq [f ${clojureStrings([...tries, 'src/evil'])}] (println f (try (spit f "x") "WRITTEN" (catch Exception _ "kept"))))
      (doseq [f ${clojureStrings(reads)}] (println f (try (slurp f) (catch Exception _ "unseen by it"))))`;
    const { client } = await harbor('[org.made/thing "3"] [org.own/mine "1"]', code);
    const before = ownFiles();
    const missing = await evaluate(client, "(require 'shop)");
    expect(missing.isError).toBe(true);
    expect(missing.text).toMatch(/`load` with fetch: true runs `lein deps` in the sandbox/);

    const { structured, text, isError } = await fetchLibraries(client);
    expect(isError, text).toBe(false);
    expect(text).toMatch(/Fetched: .*org\/made\/part\/4\/part-4\.jar, org\/made\/thing\/3\/thing-3\.jar/);
    expect(text).toMatch(/`load` without arguments updates this session/);
    expect(text).toContain('Retrieving org/made/thing/3/thing-3.jar');
    expect(web.served.filter((name) => name.includes('/mine/'))).toEqual([]);
    expect(ownFiles()).toEqual(before);
    // If its temporary folder hides the path, it may write without effect.
    for (const file of tries) expect(existsSync(file), file).toBe(false);
    for (const file of [`${home}/.m2/repository/evil`, 'src/evil']) expect(text).toContain(`${file} kept`);
    for (const file of reads) expect(text).toContain(`${file} unseen by it`);

    const again = await evaluate(client, "(require 'thing.core)");
    expect(again.isError).toBe(true);
    await call(client, 'load', {});
    const { structured: used } = await evaluate(
      client,
      "(require 'shop 'mine.core) [shop/sold mine.core/version]",
    );
    expect(used.values).toEqual(['["3" "1"]']);
    const { text: rows } = await call(client, 'history', { query: 'lein deps' });
    expect(rows).toContain(String(structured.id));
  });
});

function clojureStrings(names: readonly string[]): string {
  return `[${names.map((name) => JSON.stringify(name)).join(' ')}]`;
}
