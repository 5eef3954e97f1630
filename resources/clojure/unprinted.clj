;; Values of evaluations that failed only while printing their value.
(ns lisp-harbor.unprinted
  (:require [lisp-harbor.host :refer [problem-of]]
            [lisp-harbor.outlines :refer [outline]]))

(defn- computing?
  "Reports whether `error` was thrown while a lazy sequence was computed. Then the code failed, not the
  printing. Such a sequence ends at that point when it is read again, so no part of it may be shown as the
  value."
  [^Throwable error]
  (some #(= "clojure.lang.LazySeq" (.getClassName ^StackTraceElement %)) (.getStackTrace error)))

(defn last-value
  "Returns the last value of the session as `:text` and the `:problem` of printing it, or nil if something else
  failed."
  [_]
  (let [{:clojure.error/keys [phase]} (ex-data *e)
        cause (ex-cause *e)]
    (when (and (= phase :print-eval-result) (not (computing? cause)))
      {:text (outline *1) :problem (problem-of cause)})))
