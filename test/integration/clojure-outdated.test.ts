/**
 * A Clojure session whose build file and folders appear after its image started: its notes, and their
 * recipients.
 */
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { Engines } from '../../electron/images/discovery';
import type { EvaluationRecord } from '../../electron/tools/evaluation/record';
import { call } from '../evaluation';
import { STARTING_MS } from '../nrepl-server';
import { PATIENT, StartedHarbor, temporaryFolder } from '../started-harbor';
import { engine } from './clojure-fixture';
import { writeFiles } from './loading-fixture';
import { evaluate, sessionsFixture } from './sessions-fixture';

const FILES = {
  'deps.edn': '{:paths ["src" "test"]}\n',
  'src/q/core.clj': '(ns q.core)\n(defn inc2 [x] (+ 2 x))\n',
  'test/q/core_test.clj':
    '(ns q.core-test (:require [clojure.test :refer [deftest is]] [q.core :as core]))\n(deftest adds (is (= 3 (core/inc2 1))))\n',
};

const CHANGED = expect.stringMatching(
  /^deps\.edn is new since this image was started\. `load` without arguments starts/,
);

let harbor: StartedHarbor | undefined;
afterEach(() => harbor?.stop());

describe('a session that is older than the build file', { timeout: STARTING_MS }, () => {
  it('says so wherever the project is meant, claims nothing of files that are there, and begins anew with `load`', async () => {
    const project = temporaryFolder('project');
    harbor = await StartedHarbor.start({ project });
    const client = await harbor.client();
    const { structured } = await call<{ session: string }>(client, 'open_session', { engine: 'clojure' });
    const { session } = structured;
    const record = (tool: string, args: object) => call<EvaluationRecord>(client, tool, { session, ...args });
    for (const [path, content] of Object.entries(FILES))
      expect((await record('write_file', { path, content })).isError).toBe(false);

    const whole = await record('load', { system: 'project' });
    expect(whole.isError).toBe(true);
    expect(whole.text).toContain('No folder on the classpath has a namespace');
    expect(whole.text).toContain('src/q/core.clj');
    expect(whole.structured.notes).toContainEqual(CHANGED);
    const one = await record('load', { system: 'q.core' });
    expect(one.text).toContain('There is no namespace q.core on the classpath.');
    expect(one.text).toContain('src/q/core.clj is in the project');
    expect(one.text).not.toContain('none in its folders');
    expect(one.structured.notes).toContainEqual(CHANGED);
    const tests = await record('run_tests', {});
    expect(tests.text).toContain('There are no tests here');
    expect(tests.text).toContain('test/q/core_test.clj');
    expect(tests.structured.notes).toContainEqual(CHANGED);
    const found = await call<{ notes: string[] }>(client, 'find', {
      ...{ session, kind: 'definition', query: 'q.core/inc2' },
    });
    expect(found.isError).toBe(false);
    expect(found.structured.notes).toContainEqual(CHANGED);

    expect((await record('load', {})).isError).toBe(false);
    const again = await record('run_tests', {});
    expect(again.structured.notes ?? []).not.toContainEqual(CHANGED);
    expect(again.structured.report?.runs).toMatchObject([{ counts: { passed: 1, failed: 0, errors: 0 } }]);
  });
});

describe('an image that is ready', { timeout: STARTING_MS }, () => {
  const withOneReady = async (files: Readonly<Record<string, string>>) => {
    const engines = new Engines([engine], () => undefined);
    const fixture = sessionsFixture({ keepReady: true, instead: { engines } });
    writeFiles(fixture.project, files);
    const first = await fixture.open();
    await expect.poll(async () => (await fixture.sessions.memory()).ready.images, PATIENT).toBe(1);
    return { fixture, first };
  };
  const LOADS = "(require 'q.core) (q.core/inc2 1)";

  it.each([
    ['no', {}],
    ['another', { 'deps.edn': '{:paths []}\n' }],
  ])('is given out to nobody when the project had %s build file as it was started', async (_, before) => {
    const { fixture, first } = await withOneReady(before);
    writeFiles(fixture.project, FILES);
    const second = await fixture.open();
    expect((await evaluate(second, LOADS).settled).forms.at(-1)?.values).toEqual(['3']);
    expect(first.outdatedBy).toMatch(/^deps\.edn /);
    expect(second.outdatedBy).toBeNull();
  });

  it('is given out when only files of folders that were there have come', async () => {
    const { fixture, first } = await withOneReady({ 'src/a.clj': '(ns a)' });
    const handles = readdirSync(fixture.folders);
    writeFiles(fixture.project, { 'src/q/core.clj': FILES['src/q/core.clj'], 'notes.txt': '' });
    const second = await fixture.open();
    expect(handles).toContain(second.id);
    expect((await evaluate(second, LOADS).settled).forms.at(-1)?.values).toEqual(['3']);
    expect(first.outdatedBy).toBeNull();
    mkdirSync(`${fixture.project}/test`);
    expect(second.outdatedBy).toBe('test is new');
    rmSync(`${fixture.project}/test`, { recursive: true });
    expect(second.outdatedBy).toBeNull();
  });
});
