;; A value that is there although an evaluation failed: only its printing did.
(ns lisp-harbor.unprinted
  (:require [lisp-harbor.host :refer [problem-of]]
            [lisp-harbor.outlines :refer [outline]]))

(defn- computing?
  "Whether `error` came while a lazy sequence was computed: that is code that failed, and not its printing. Such a sequence ends
  there when it is asked again, so nothing of it may be shown as the value."
  [^Throwable error]
  (some #(= "clojure.lang.LazySeq" (.getClassName ^StackTraceElement %)) (.getStackTrace error)))

(defn last-value
  "The last value of the session as `:text`, and the `:problem` of printing it; nil when it is something else that failed."
  [_]
  (let [{:clojure.error/keys [phase]} (ex-data *e)
        cause (ex-cause *e)]
    (when (and (= phase :print-eval-result) (not (computing? cause)))
      {:text (outline *1) :problem (problem-of cause)})))
