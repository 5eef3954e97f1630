;; Lists in what is told. nbb loads this file as well.
(ns lisp-harbor.lists
  (:require [clojure.string :as string]))

(defn in-a-row
  "The first `limit` of `texts` as a sentence has them, and how many there are beside."
  [limit texts]
  (let [more (- (count texts) limit)]
    (str (string/join ", " (take limit texts)) (when (pos? more) (str " and " more " more")))))
