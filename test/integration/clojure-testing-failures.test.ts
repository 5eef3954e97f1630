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

const ENDLESS = `(ns endless-test (:require [clojure.test :refer [deftest is]]))
(deftest a-passes (is true))
(deftest b-loops (println "ready") (loop [] (recur)))
(deftest c-loops-in-a-check (is (= 1 (loop [n 0] (recur (inc n))))))
(deftest d-sleeps (Thread/sleep 1000000))
(deftype Slow [])
(defmethod print-method Slow [_ _] (loop [] (recur)))
(deftest e-prints-for-ever (is (= 42 (Slow.))))
(deftest f-infinite (is (= 42 (range))))
(deftest g-passes (is true))`;

let image: ClojureTestImage;

beforeAll(async () => {
  image = await ClojureTestImage.start(async (project) =>
    writeFiles(project, {
      'test/many_test.clj': TESTS,
      'test/empty_test.clj': UNCHECKED,
      'test/endless_test.clj': ENDLESS,
    }),
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
  expect(run?.alsoFailed).toBeUndefined();
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

it('ends a test after its time, and goes on with the next one', async () => {
  const code = '(lisp-harbor.testing/run {:system "endless-test" :seconds 1})';
  const [run] = (await image.evaluate(code)).report?.runs ?? [];
  expect(run?.counts).toEqual({ passed: 2, failed: 2, errors: 3, skipped: 0 });
  expect(run?.failures.map(({ test, kind }) => [test.replace('endless-test/', ''), kind])).toEqual([
    ['b-loops', 'error'],
    ['c-loops-in-a-check', 'error'],
    ['d-sleeps', 'error'],
    ['e-prints-for-ever', 'failed'],
    ['f-infinite', 'failed'],
  ]);
  expect(run?.failures[0]).toMatchObject({ line: 3, reason: expect.stringContaining('endless-test') });
  expect((await image.evaluate('(+ 1 1)')).forms.at(-1)?.values).toEqual(['2']);
});

it('names the test in which a run was interrupted, and what came before', async () => {
  const code = '(lisp-harbor.testing/run {:system "endless-test"})';
  const { settled } = await image.running(code);
  await image.interrupt('cooperative');
  const { outcome, report } = await settled;
  expect(outcome).toBe('interrupted');
  expect(report?.runs[0]).toMatchObject({
    counts: { passed: 1, failed: 0, errors: 1 },
    endedIn: 'endless-test/b-loops',
    notRun: 5,
  });
});
