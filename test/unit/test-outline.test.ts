/** The tests and systems that source text defines. */
import { expect, it } from 'vitest';
import { systemsIn, testsIn } from '../../electron/source/test-outline';

it('finds tests of the frameworks of Common Lisp with package, suite and line', () => {
  const text = `(defpackage :tide/tests (:use :cl :fiveam))
(in-package :tide/tests)
; (test not-a-test 1)
(def-suite* harmonic)
(test (high-water :depends-on other)
  (is (= 1 1)))
(in-suite* gauge)
(eval-when (:load-toplevel) (5am:def-test reads-file () t))
(in-package #:other)
(deftest rt-test 1 1)
(define-test "by string" (true t))
`;
  const tests = testsIn(text, 'common-lisp').map(({ form: _, ...test }) => test);
  expect(tests).toEqual([
    { home: 'TIDE/TESTS', name: 'HIGH-WATER', suite: 'HARMONIC', line: 5 },
    { home: 'TIDE/TESTS', name: 'READS-FILE', suite: 'GAUGE', line: 8 },
    { home: 'OTHER', name: 'RT-TEST', suite: null, line: 10 },
    { home: 'OTHER', name: 'by string', suite: null, line: 11 },
  ]);
});

it('finds tests of clojure.test, but none in comments', () => {
  const text = `(ns berths.core-test (:require [clojure.test :refer [deftest is]]))
(deftest ^:slow docks (is true))
(comment (deftest tried (is false)))
#_(deftest dropped (is false))
(t/deftest- own (is true))
`;
  expect(testsIn(text, 'clojure').map(({ home, name, line }) => [home, name, line])).toEqual([
    ['berths.core-test', 'docks', 2],
    ['berths.core-test', 'own', 5],
  ]);
});

it('finds systems with the files of their components', () => {
  const text = `(defsystem "tide" :components ((:file "package") (:module "src" :components ((:file "predict")))))
(asdf:defsystem #:tide/tests :pathname "t/" :depends-on ("tide")
  :components ((:module "all" :pathname "" :components ((:file "gauge.test" :type "lisp") (:static-file "x.txt")))
               (:file fit)))
`;
  expect(systemsIn(text)).toEqual([
    { name: 'tide', files: ['package.lisp', 'src/predict.lisp'] },
    { name: 'tide/tests', files: ['t/gauge.test.lisp', 't/fit.lisp'] },
  ]);
});
