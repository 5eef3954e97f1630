/** clojure.test runs with too many or too large results: the excess is counted, and the run continues. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runText } from '../../electron/tools/evaluation/report-text';
import { STARTING_MS } from '../nrepl-server';
import { ClojureTestImage } from './clojure-fixture';
import { writeFiles } from './loading-fixture';

const TESTS = `(ns many-test (:require [clojure.test :refer [deftest is testing]]))
(defn mute [] (proxy [Exception] [] (getMessage [] (throw (IllegalStateException. "mute")))))
(deftest a-mute (throw (mute)))
(deftest b-names (testing (reify Object (toString [_] (throw (mute)))) (is (= 1 2))))
(deftest c-many (dotimes [n 300] (is (= n -1))))
(deftest d-holds (is true))`;

const UNCHECKED = `(ns empty-test (:require [clojure.test :refer [deftest is]]))
(deftest holds (is true))
(deftest forgot)
(deftest forgot-is (= 1 2))`;

let image: ClojureTestImage;

beforeAll(async () => {
  image = await ClojureTestImage.start(async (project) =>
    writeFiles(project, { 'test/many_test.clj': TESTS, 'test/empty_test.clj': UNCHECKED }),
  );
}, STARTING_MS);
afterAll(() => image.end());

it('goes on where a failure cannot be described, and counts those that are not listed', async () => {
  const [run] = (await image.evaluate('(lisp-harbor.testing/run {:system "many-test"})')).report?.runs ?? [];
  expect(run?.counts).toEqual({ passed: 1, failed: 301, errors: 1, skipped: 0 });
  expect(run?.failures.slice(0, 2)).toMatchObject([
    { test: 'many-test/a-mute', actual: expect.stringContaining('it cannot say what happened') },
    { test: 'many-test/b-names', reason: expect.stringContaining('could not be described') },
  ]);
  expect([run?.failures.length, run?.omitted]).toEqual([200, 102]);
});

it('tells of an error that cannot say what happened', async () => {
  // The server, which queries it too, reports the result.
  expect((await image.evaluate('(throw (many-test/mute))')).condition?.message).toMatch(/mute|cannot say/);
});

it('names the tests that check nothing: they have not passed', async () => {
  const [run] = (await image.evaluate('(lisp-harbor.testing/run {:system "empty-test"})')).report?.runs ?? [];
  expect(run?.counts).toEqual({ passed: 1, failed: 0, errors: 0, skipped: 0 });
  expect(run?.unchecked).toEqual(['empty-test/forgot', 'empty-test/forgot-is']);
  if (run) expect(runText(run, 7, '/p')).toContain('no check ran in 2 of them: empty-test/forgot');
});
