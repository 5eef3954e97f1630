;; Values of evaluations that failed only while printing their fully computed value. nbb's server
;; does not report which of the two failed, but has stored the value in *1 by then.
(ns lisp-harbor.unprinted
  (:require [lisp-harbor.image :as image]
            [lisp-harbor.outlines :refer [computed? outline]]))

(def ^:private seen
  "The last values at the previous failure to print the first of them."
  (atom nil))

(defn- problem-of-printing [value]
  (try (pr-str value)
       nil
       (catch :default error (image/message (image/thrown error)))))

(defn last-value
  "Returns the last value as `:text` and the `:problem` of printing it, if that is the reason for which an
  evaluation failed with `message`. Otherwise nil."
  [{:keys [message]}]
  (let [values [*1 *2 *3]
        problem (problem-of-printing *1)]
    (when (and problem (= problem message) (not (and @seen (every? true? (map identical? values @seen)))))
      (let [text (outline *1)]
        (when (computed? text)
          (reset! seen values)
          {:text text :problem problem})))))
