;; A value that is there although an evaluation failed: only its printing did.
(ns lisp-harbor.unprinted
  (:require [lisp-harbor.host :refer [problem-of]]
            [lisp-harbor.outlines :refer [outline]]))

(defn last-value
  "The last value of the session as `:text`, and the `:problem` of printing it; nil when it is something else that failed."
  [_]
  (when (= :print-eval-result (:clojure.error/phase (ex-data *e)))
    (let [problem (problem-of (ex-cause *e))]
      {:text (outline *1 problem) :problem problem})))
