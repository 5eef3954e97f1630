/**
 * Clojure images start from compiled code and class data, unless the project has its own version of that
 * code.
 */
import { copyFileSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { Builds } from '../../electron/images/agent/builds';
import { classData, compiling } from '../../electron/images/clojure/code';

import { ClojureEngine } from '../../electron/images/clojure/engine';
import { findClojure } from '../../electron/images/clojure/installation';
import { BubblewrapLauncher, readHostLayout } from '../../electron/launchers/bubblewrap';

import { STARTING_MS } from '../nrepl-server';
import { CORES } from '../shared-cores';
import { temporaryFolder } from '../started-harbor';
import { ClojureTestImage, OPTIONS } from './clojure-fixture';
import { writeFiles } from './loading-fixture';

let image: ClojureTestImage;

beforeAll(async () => {
  image = await ClojureTestImage.start(async (project) =>
    writeFiles(project, {
      'src/nrepl/ack.clj': '(ns nrepl.ack) (defn send-ack [& _] :ours) (def reset-ack-port! nil)',
    }),
  );
}, STARTING_MS);
afterAll(() => image.end());

const answerTo = async (code: string) => (await image.evaluate(code)).values.at(-1)?.[0];

/** The file from which the class of a function was loaded; nil if it was compiled in the image. */
const origin = (name: string) =>
  answerTo(`(some-> (class ${name}) .getProtectionDomain .getCodeSource .getLocation .getFile)`);

it('reads what is compiled from one archive', async () => {
  const archive = JSON.parse((await origin('nrepl.server/handle')) ?? '');
  expect(path.dirname(archive)).toBe(CORES);
  await image.evaluate("(require 'lisp-harbor.json)");
  expect(await origin('lisp-harbor.json/json')).toBe(JSON.stringify(archive));
});

it('takes what a folder of the project has, though it is older than the archive', async () => {
  expect(await answerTo('(nrepl.ack/send-ack)')).toBe(':ours');
  expect(await origin('nrepl.ack/send-ack')).toBe('nil');
});

const isClassData = (name: string) => name.endsWith('.jsa');

/** The class data files that the image's JVM has mapped; Java has some of its own. */
const MAPPED = `(->> (.toPath (java.io.File. "/proc/self/maps")) java.nio.file.Files/readAllBytes String. (re-seq #"${CORES}/\\S+\\.jsa") distinct count)`;

it('maps the class data that an earlier image has made, which is no matter where a folder comes first', async () => {
  const earlier = await ClojureTestImage.start();
  await earlier.end();
  await expect.poll(() => readdirSync(CORES).filter(isClassData), { timeout: STARTING_MS }).not.toEqual([]);
  const confined = await ClojureTestImage.start(undefined, new BubblewrapLauncher(readHostLayout()));
  onTestFinished(() => confined.end());
  expect(await confined.evaluate(MAPPED)).toMatchObject({ values: [['1']] });
  expect(await answerTo(MAPPED)).toBe('0');
});

it('starts without a word where class data cannot be read', async () => {
  const compiled = temporaryFolder('compiled');
  onTestFinished(() => rmSync(compiled, { recursive: true }));
  const installation = await findClojure(OPTIONS);
  const builds = (folder: string) => new Builds(OPTIONS.sources, folder);
  const code = await builds(CORES).get(compiling(installation, OPTIONS.sources), () => undefined);
  copyFileSync(code, path.join(compiled, path.basename(code)));
  const copy = await builds(compiled).get(compiling(installation, OPTIONS.sources), () => undefined);
  const empty = { command: '/bin/cp', args: (target: string) => ['/dev/null', target] };
  const data = { ...classData(installation, OPTIONS.sources, copy), ...empty };
  await builds(compiled).get(data, () => undefined);

  const other = await ClojureTestImage.start(
    undefined,
    undefined,
    {},
    new ClojureEngine({ ...OPTIONS, compiled }),
  );
  onTestFinished(() => other.end());
  const options = '(str (.getInputArguments (java.lang.management.ManagementFactory/getRuntimeMXBean)))';
  const { values, stdout, stderr } = await other.evaluate(options);
  expect(values[0]?.[0]).toContain(`-XX:SharedArchiveFile=${compiled}`);
  expect(stdout + stderr).toBe('');
});
