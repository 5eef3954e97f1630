;; A value that is there although an evaluation failed: only its printing did, and all of it is computed. nbb's server does not say which of the two
;; failed, but has put the value in front of the others by then.
(ns lisp-harbor.unprinted
  (:require [lisp-harbor.image :as image]
            [lisp-harbor.outlines :refer [computed? outline]]))

(def ^:private seen
  "The last values as they were when printing the first of them failed before."
  (atom nil))

(defn- problem-of-printing [value]
  (try (pr-str value)
       nil
       (catch :default error (image/message (image/thrown error)))))

(defn last-value
  "The last value as `:text`, and the `:problem` of printing it, when that is what an evaluation that says `message` has
  failed with; else nil."
  [{:keys [message]}]
  (let [values [*1 *2 *3]
        problem (problem-of-printing *1)]
    (when (and problem (= problem message) (not (and @seen (every? true? (map identical? values @seen)))))
      (let [text (outline *1)]
        (when (computed? text)
          (reset! seen values)
          {:text text :problem problem})))))
